// Spans of minutes `{ start, end }`; the end is not part of a span.

export class Span {
  constructor(start, end) {
    if (end < start) {
      throw new RangeError('a span ends before it begins');
    }
    this.start = start;
    this.end = end;
  }

  get length() {
    return this.end - this.start;
  }

  contains(minute) {
    return minute >= this.start && minute < this.end;
  }

  overlaps(other) {
    return this.start < other.end && other.start < this.end;
  }

  within(other) {
    return this.start >= other.start && this.end <= other.end;
  }

  widened(before, after) {
    return new Span(this.start - before, this.end + after);
  }
}

export function sorted(spans) {
  return [...spans].sort((a, b) => a.start - b.start || a.end - b.end);
}

// Spans that touch or overlap become one.
export function merged(spans) {
  const result = [];
  for (const span of sorted(spans)) {
    const last = result.at(-1);
    if (last && span.start <= last.end) {
      result[result.length - 1] = new Span(last.start, Math.max(last.end, span.end));
    } else {
      result.push(span);
    }
  }
  return result;
}

// What of a whole is not taken.
export function gaps(whole, taken) {
  const free = [];
  let from = whole.start;
  for (const span of merged(taken)) {
    if (span.start > from) {
      free.push(new Span(from, Math.min(span.start, whole.end)));
    }
    from = Math.max(from, span.end);
    if (from >= whole.end) {
      return free;
    }
  }
  free.push(new Span(from, whole.end));
  return free;
}

export function totalLength(spans) {
  return merged(spans).reduce((sum, span) => sum + span.length, 0);
}
