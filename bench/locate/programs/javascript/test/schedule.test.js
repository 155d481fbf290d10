import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Conflict } from '../src/schedule.js';
import { MONDAY, office } from './office.js';

describe('booking', () => {
  it('takes the smallest room that will do, on the lowest floor', () => {
    const { schedule } = office();
    const meeting = schedule.book({ title: 'talk', day: MONDAY, from: '9:00', to: '10:00', people: 6 });
    assert.equal(meeting.room.name, 'Red');
  });

  it('takes a room with the equipment', () => {
    const { schedule } = office();
    const meeting = schedule.book({
      title: 'film', day: MONDAY, from: '9:00', to: '10:00', people: 2, needs: ['screen'],
    });
    assert.equal(meeting.room.name, 'Blue');
  });

  it('fills a room to the last seat', () => {
    const { schedule } = office();
    const meeting = schedule.book({ title: 'two', day: MONDAY, from: '9:00', to: '10:00', people: 2 });
    assert.equal(meeting.room.name, 'Cell');
  });

  it('lets one meeting follow another', () => {
    const { schedule } = office();
    schedule.book({ title: 'one', day: MONDAY, from: '9:00', to: '10:00', people: 40 });
    const next = schedule.book({ title: 'two', day: MONDAY, from: '10:00', to: '11:00', people: 40 });
    assert.equal(next.room.name, 'Hall');
  });

  it('refuses what overlaps', () => {
    const { schedule } = office();
    schedule.book({ title: 'one', day: MONDAY, from: '9:00', to: '10:00', people: 40 });
    assert.throws(
      () => schedule.book({ title: 'two', day: MONDAY, from: '9:30', to: '11:00', people: 40 }),
      Conflict,
    );
  });

  it('leaves time to clean after food', () => {
    const { schedule, hall } = office();
    schedule.book({ title: 'lunch', day: MONDAY, from: '12:00', to: '13:00', people: 30, catering: true });
    assert.deepEqual(schedule.taken(hall, MONDAY).map((span) => span.end), [13 * 60 + 10]);
  });

  it('has no rooms on weekends', () => {
    const { schedule } = office();
    assert.throws(
      () => schedule.book({ title: 'x', day: '2026-03-07', from: '9:00', to: '10:00', people: 1 }),
      Conflict,
    );
  });

  it('has rooms on Fridays', () => {
    const { schedule } = office();
    const meeting = schedule.book({ title: 'x', day: '2026-03-06', from: '9:00', to: '10:00', people: 1 });
    assert.equal(meeting.room.name, 'Cell');
  });

  it('can be cancelled', () => {
    const { schedule } = office();
    schedule.book({ title: 'one', day: MONDAY, from: '9:00', to: '10:00', people: 2 });
    assert.equal(schedule.cancel('one'), 1);
    assert.deepEqual(schedule.on(MONDAY), []);
  });
});

describe('free times', () => {
  it('are what lies between meetings', () => {
    const { schedule, hall } = office();
    schedule.book({ title: 'b', day: MONDAY, from: '1:00 pm', to: '2:00 pm', people: 30 });
    schedule.book({ title: 'a', day: MONDAY, from: '8:00', to: '9:30', people: 30 });
    const free = schedule.freeTimes(hall, MONDAY).map((gap) => [gap.start, gap.end]);
    assert.deepEqual(free, [[570, 780], [840, 1200]]);
  });

  it('may be exactly as long as needed', () => {
    const { schedule, hall } = office();
    schedule.book({ title: 'a', day: MONDAY, from: '8:30', to: '20:00', people: 30 });
    assert.equal(schedule.freeTimes(hall, MONDAY).length, 1);
  });

  it('give the earliest time, on a quarter of an hour', () => {
    const { schedule } = office();
    schedule.book({ title: 'a', day: MONDAY, from: '8:00', to: '9:20', people: 40 });
    const found = schedule.earliest(MONDAY, { length: 60, people: 12 });
    assert.equal(found.start, 9 * 60 + 30);
  });

  it('are looked for after a time', () => {
    const { schedule } = office();
    const found = schedule.earliest(MONDAY, { length: 45, people: 2, after: '12:00 pm' });
    assert.equal(found.start, 12 * 60);
  });

  it('begin when the house opens', () => {
    const { schedule } = office();
    const found = schedule.earliest(MONDAY, { length: 45, people: 2, after: '12:05 am' });
    assert.equal(found.start, 8 * 60);
  });

  it('tell how much a room is used', () => {
    const { schedule, hall } = office();
    schedule.book({ title: 'a', day: MONDAY, from: '8:00', to: '11:00', people: 40 });
    schedule.book({ title: 'b', day: MONDAY, from: '11:00', to: '14:00', people: 40 });
    assert.equal(schedule.use(hall, MONDAY), 50);
  });
});

describe('what repeats', () => {
  const weekly = { title: 'weekly', day: MONDAY, from: '9:00', to: '10:00', people: 2 };

  it('happens every other week', () => {
    const { schedule } = office();
    schedule.book({ ...weekly, repeat: { unit: 'week', every: 2 } });
    assert.equal(schedule.on('2026-03-16').length, 1);
    assert.equal(schedule.on('2026-03-09').length, 0);
  });

  it('ends on its last day', () => {
    const { schedule } = office();
    schedule.book({ ...weekly, repeat: { unit: 'day', until: '2026-03-05' } });
    assert.equal(schedule.on('2026-03-05').length, 1);
    assert.equal(schedule.on('2026-03-06').length, 0);
  });

  it('happens so many times', () => {
    const { schedule } = office();
    schedule.book({ ...weekly, repeat: { unit: 'day', times: 3 } });
    assert.equal(schedule.on('2026-03-04').length, 1);
    assert.equal(schedule.on('2026-03-05').length, 0);
  });

  it('leaves out exceptions and weekends', () => {
    const { schedule } = office();
    schedule.book({ ...weekly, repeat: { unit: 'day', weekends: 'skip', except: ['2026-03-03'] } });
    assert.equal(schedule.on('2026-03-03').length, 0);
    assert.equal(schedule.on('2026-03-07').length, 0);
    assert.equal(schedule.on('2026-03-09').length, 1);
  });

  it('moves from a weekend to Monday', () => {
    const { schedule } = office();
    schedule.book({ ...weekly, day: '2026-03-05', repeat: { unit: 'day', every: 2, weekends: 'after' } });
    assert.equal(schedule.on('2026-03-09').length, 1);
    assert.equal(schedule.on('2026-03-08').length, 0);
  });

  it('stays within short months', () => {
    const { schedule } = office();
    schedule.book({ ...weekly, day: '2026-12-30', repeat: { unit: 'month' } });
    assert.equal(schedule.on('2027-02-28').length, 1);
    assert.equal(schedule.on('2028-02-29').length, 1);
    assert.equal(schedule.on('2027-01-30').length, 1);
  });

  it('happens every year', () => {
    const { schedule } = office();
    schedule.book({ ...weekly, repeat: { unit: 'year' } });
    assert.equal(schedule.on('2027-03-02').length, 1);
  });
});
