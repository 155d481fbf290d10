// Days as text, `2026-03-02`, and what can be counted with them.

const MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

export function isLeap(year) {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

export function daysIn(year, month) {
  return month === 2 && isLeap(year) ? 29 : MONTHS[month - 1];
}

export function parts(day) {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (!match) {
    throw new RangeError(`not a day: ${day}`);
  }
  return match.slice(1).map(Number);
}

export function written(year, month, date) {
  return [String(year).padStart(4, '0'), pad(month), pad(date)].join('-');
}

export function pad(number) {
  return String(number).padStart(2, '0');
}

// Days since 1970-01-01, a Thursday.
export function serial(day) {
  const [year, month, date] = parts(day);
  return Math.round(Date.UTC(year, month - 1, date) / 86_400_000);
}

export function fromSerial(count) {
  const moment = new Date(count * 86_400_000);
  return written(moment.getUTCFullYear(), moment.getUTCMonth() + 1, moment.getUTCDate());
}

export function addDays(day, count) {
  return fromSerial(serial(day) + count);
}

// The same date some months later, or the last day of a month that is too short.
export function addMonths(day, count) {
  const [year, month, date] = parts(day);
  const index = year * 12 + (month - 1) + count;
  const target = [Math.floor(index / 12), (index % 12) + 1];
  return written(...target, Math.min(date, daysIn(...target)));
}

// 0 for Monday.
export function weekday(day) {
  return (serial(day) + 3) % 7;
}

export function weekdayName(day) {
  return NAMES[weekday(day)];
}

export function isWeekend(day) {
  return weekday(day) >= 5;
}

export function daysBetween(from, to) {
  return serial(to) - serial(from);
}
