// Rules by which something happens again.

import { addDays, addMonths, daysBetween, isWeekend, weekday } from './days.js';

const MOST = 1000;

function step(rule, first, count) {
  const every = rule.every ?? 1;
  switch (rule.unit) {
    case 'day':
      return addDays(first, count * every);
    case 'week':
      return addDays(first, count * every * 7);
    case 'month':
      return addMonths(first, count * every);
    case 'year':
      return addMonths(first, count * every * 12);
    default:
      throw new RangeError(`no such unit: ${rule.unit}`);
  }
}

// Moves a day that is a weekend's as the rule asks: `skip` leaves it out, `after` takes the Monday.
function moved(rule, day) {
  if (!rule.weekends || !isWeekend(day)) {
    return day;
  }
  return rule.weekends === 'skip' ? null : addDays(day, 7 - weekday(day));
}

export function* occurrences(rule, first) {
  let given = 0;
  for (let count = 0; count < MOST; count += 1) {
    const day = step(rule, first, count);
    if (rule.until && daysBetween(day, rule.until) < 0) {
      return;
    }
    const shown = moved(rule, day);
    if (shown === null || (rule.except ?? []).includes(shown)) {
      continue;
    }
    yield shown;
    given += 1;
    if (rule.times && given >= rule.times) {
      return;
    }
  }
}

export function happensOn(rule, first, day) {
  for (const one of occurrences(rule, first)) {
    if (one === day) {
      return true;
    }
    if (daysBetween(day, one) > 0) {
      return false;
    }
  }
  return false;
}
