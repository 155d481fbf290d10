// What a meeting costs, in whole cents.

const PER_SEAT_AND_HOUR = 120;
const EVENING = 17 * 60;
const EVENING_PERCENT = 25;
const CATERING_PER_PERSON = 650;

export function roomPrice(room, span) {
  const early = Math.max(0, Math.min(span.end, EVENING) - span.start);
  const late = span.length - early;
  const weighted = early * 100 + late * (100 + EVENING_PERCENT);
  return Math.round((room.seats * PER_SEAT_AND_HOUR * weighted) / 6000);
}

export function cateringPrice(people) {
  const full = Math.min(people, 10) * CATERING_PER_PERSON;
  const more = Math.max(people - 10, 0) * Math.round(CATERING_PER_PERSON * 0.8);
  return full + more;
}

export function meetingPrice(room, span, { people, catering = false }) {
  return roomPrice(room, span) + (catering ? cateringPrice(people) : 0);
}
