// Times of a day as minutes since midnight.

import { pad } from './days.js';

export const DAY = 24 * 60;

export function minutes(text) {
  const match = /^(\d{1,2}):(\d{2})\s*(am|pm)?$/i.exec(text.trim());
  if (!match) {
    throw new RangeError(`not a time: ${text}`);
  }
  let hours = Number(match[1]);
  const half = (match[3] ?? '').toLowerCase();
  if (half === 'pm' && hours < 12) {
    hours += 12;
  }
  if (half === 'am' && hours === 12) {
    hours = 0;
  }
  return hours * 60 + Number(match[2]);
}

export function clock(count) {
  return `${pad(Math.floor(count / 60))}:${pad(count % 60)}`;
}

export function roundUp(count, step = 15) {
  return Math.ceil(count / step) * step;
}

export function duration(count) {
  const hours = Math.floor(count / 60);
  const rest = count % 60;
  if (hours === 0) {
    return `${rest} min`;
  }
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}
