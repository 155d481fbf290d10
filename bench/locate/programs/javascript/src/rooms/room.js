// Rooms and what they offer.

import { Span } from '../time/spans.js';
import { minutes } from '../time/clock.js';
import { isWeekend } from '../time/days.js';

const CLEANING = 10;

export class Room {
  constructor(name, { seats, equipment = [], opens = '8:00', closes = '18:00', floor = 0 }) {
    this.name = name;
    this.seats = seats;
    this.equipment = new Set(equipment);
    this.hours = new Span(minutes(opens), minutes(closes));
    this.floor = floor;
  }

  hoursOn(day) {
    return isWeekend(day) ? new Span(this.hours.start, this.hours.start) : this.hours;
  }

  offers(needs) {
    return needs.every((need) => this.equipment.has(need));
  }

  holds(people) {
    return people <= this.seats;
  }

  // A room with food in it is cleaned afterwards.
  blocked(span, catering) {
    return catering ? span.widened(0, CLEANING) : span;
  }
}

// The smallest room that will do, the lowest floor among equals.
export function bestRoom(rooms, { people, needs = [] }) {
  const fitting = rooms.filter((room) => room.holds(people) && room.offers(needs));
  fitting.sort((a, b) => a.seats - b.seats || a.floor - b.floor);
  return fitting[0] ?? null;
}
