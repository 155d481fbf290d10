// Meetings in rooms: booking, conflicts and free times.

import { bestRoom } from './rooms/room.js';
import { meetingPrice } from './rooms/price.js';
import { minutes, roundUp } from './time/clock.js';
import { happensOn } from './time/recurrence.js';
import { Span, gaps, totalLength } from './time/spans.js';

export class Conflict extends Error {}

export class Schedule {
  #meetings = [];

  constructor(rooms) {
    this.rooms = rooms;
  }

  book({ title, day, from, to, people, needs = [], catering = false, repeat = null }) {
    const span = new Span(minutes(from), minutes(to));
    const candidates = this.rooms.filter((room) => this.isFree(room, day, room.blocked(span, catering)));
    const room = bestRoom(candidates, { people, needs });
    if (room === null) {
      throw new Conflict(`no room for ${title}`);
    }
    const meeting = { title, day, span, room, people, catering, repeat };
    this.#meetings.push(meeting);
    return meeting;
  }

  cancel(title) {
    const before = this.#meetings.length;
    this.#meetings = this.#meetings.filter((meeting) => meeting.title !== title);
    return before - this.#meetings.length;
  }

  on(day) {
    const found = this.#meetings.filter((meeting) => this.#takesPlace(meeting, day));
    return found.sort((a, b) => a.span.start - b.span.start || a.title.localeCompare(b.title));
  }

  #takesPlace(meeting, day) {
    return meeting.repeat ? happensOn(meeting.repeat, meeting.day, day) : meeting.day === day;
  }

  taken(room, day) {
    const meetings = this.on(day).filter((meeting) => meeting.room === room);
    return meetings.map((meeting) => room.blocked(meeting.span, meeting.catering));
  }

  isFree(room, day, span) {
    if (!span.within(room.hoursOn(day))) {
      return false;
    }
    return !this.taken(room, day).some((other) => other.overlaps(span));
  }

  freeTimes(room, day, least = 30) {
    const whole = room.hoursOn(day);
    if (whole.length === 0) {
      return [];
    }
    return gaps(whole, this.taken(room, day)).filter((gap) => gap.length >= least);
  }

  // The earliest time of day at which a meeting of this length has a room.
  earliest(day, { length, people, needs = [], after = '0:00' }) {
    let best = null;
    for (const room of this.rooms) {
      if (!room.holds(people) || !room.offers(needs)) {
        continue;
      }
      for (const gap of this.freeTimes(room, day, length)) {
        const start = roundUp(Math.max(gap.start, minutes(after)));
        if (start + length <= gap.end && (best === null || start < best.start)) {
          best = { room, start };
        }
      }
    }
    return best;
  }

  use(room, day) {
    const whole = room.hoursOn(day);
    return whole.length === 0 ? 0 : Math.round((100 * totalLength(this.taken(room, day))) / whole.length);
  }

  cost(day) {
    return this.on(day).reduce((sum, meeting) => sum + meetingPrice(meeting.room, meeting.span, meeting), 0);
  }
}
