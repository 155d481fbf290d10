import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agenda, busiest, shortened, week } from '../src/agenda.js';
import { MONDAY, office } from './office.js';

test('an agenda lists the meetings of a day in order, and what they cost', () => {
  const { schedule } = office();
  schedule.book({ title: 'late', day: MONDAY, from: '16:00', to: '18:00', people: 5 });
  schedule.book({ title: 'early', day: MONDAY, from: '9:00', to: '10:30', people: 2 });
  assert.equal(
    agenda(schedule, MONDAY),
    [
      'Monday, 2026-03-02',
      '09:00-10:30 early (Cell, 1 h 30 min)',
      '16:00-18:00 late (Red, 2 h)',
      'cost: 25.20 €',
    ].join('\n'),
  );
});

test('food costs less from the eleventh person on', () => {
  const { schedule } = office();
  schedule.book({ title: 'feast', day: MONDAY, from: '12:00', to: '13:00', people: 12, catering: true });
  assert.match(agenda(schedule, MONDAY), /cost: 123\.40 €$/);
});

test('a day without meetings says so', () => {
  const { schedule } = office();
  assert.equal(agenda(schedule, '2026-03-06'), 'Friday, 2026-03-06: nothing');
});

test('a week has five days', () => {
  const { schedule } = office();
  schedule.book({ title: 'short', day: '2026-03-04', from: '9:00 am', to: '9:45 am', people: 1 });
  const days = week(schedule, MONDAY).split('\n\n');
  assert.equal(days.length, 5);
  assert.match(days[2], /09:00-09:45 short \(Cell, 45 min\)/);
});

test('long titles are shortened', () => {
  assert.equal(shortened('a'.repeat(20)), 'a'.repeat(20));
  assert.equal(shortened('a'.repeat(21)), `${'a'.repeat(19)}…`);
});

test('the busiest day is the first with most meetings', () => {
  const { schedule } = office();
  for (const [day, title] of [['2026-03-03', 'a'], ['2026-03-03', 'b'], ['2026-03-05', 'c'], ['2026-03-05', 'd']]) {
    schedule.book({ title, day, from: '9:00', to: '10:00', people: 2 });
  }
  assert.equal(busiest(schedule, MONDAY), '2026-03-03');
  assert.equal(busiest(office().schedule, MONDAY), null);
});
