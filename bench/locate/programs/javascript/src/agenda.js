// A schedule as text for people.

import { clock, duration } from './time/clock.js';
import { addDays, weekdayName } from './time/days.js';

export function euros(cents) {
  const sign = cents < 0 ? '-' : '';
  const whole = Math.floor(Math.abs(cents) / 100);
  const rest = String(Math.abs(cents) % 100).padStart(2, '0');
  return `${sign}${whole}.${rest} €`;
}

export function line(meeting) {
  const { span, title, room } = meeting;
  return `${clock(span.start)}-${clock(span.end)} ${title} (${room.name}, ${duration(span.length)})`;
}

export function agenda(schedule, day) {
  const meetings = schedule.on(day);
  const heading = `${weekdayName(day)}, ${day}`;
  if (meetings.length === 0) {
    return `${heading}: nothing`;
  }
  const cost = schedule.cost(day);
  return [heading, ...meetings.map(line), `cost: ${euros(cost)}`].join('\n');
}

export function week(schedule, monday) {
  const days = Array.from({ length: 5 }, (_, index) => addDays(monday, index));
  return days.map((day) => agenda(schedule, day)).join('\n\n');
}

export function shortened(title, most = 20) {
  return title.length <= most ? title : `${title.slice(0, most - 1)}…`;
}

export function busiest(schedule, monday) {
  let best = null;
  for (let index = 0; index < 7; index += 1) {
    const day = addDays(monday, index);
    const count = schedule.on(day).length;
    if (count > (best?.count ?? 0)) {
      best = { day, count };
    }
  }
  return best?.day ?? null;
}
