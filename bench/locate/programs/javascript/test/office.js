import { Room } from '../src/rooms/room.js';
import { Schedule } from '../src/schedule.js';

export const MONDAY = '2026-03-02';

export function office() {
  const rooms = [
    new Room('Hall', { seats: 40, equipment: ['screen', 'stage'], closes: '20:00' }),
    new Room('Blue', { seats: 8, equipment: ['screen'], floor: 1 }),
    new Room('Red', { seats: 8, floor: 0 }),
    new Room('Cell', { seats: 2, floor: 2 }),
  ];
  return { rooms, hall: rooms[0], blue: rooms[1], red: rooms[2], cell: rooms[3], schedule: new Schedule(rooms) };
}
