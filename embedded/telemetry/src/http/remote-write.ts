import { PbfReader } from 'pbf'
import { uncompress } from 'snappyjs'
import type { Samples } from '../evaluation/value.ts'
import { QueryError } from '../promql/expression.ts'
import { labelsOf, NAME } from '../promql/labels.ts'

const MOST_BYTES = 16 * 2 ** 20
const MOST_LABELS = 64
const MOST_VALUE = 2048

/** The series of a request of remote write 1.0: a snappy block with a message `WriteRequest` of Protobuf in it. */
export function readWriteRequest(body: Uint8Array): Samples[] {
  const bytes = plain(body)
  const series: Samples[] = []
  try {
    const reader = new PbfReader(bytes)
    for (let field = reader.nextField(); field !== 0; field = reader.nextField()) {
      if (field === 1) series.push(readSeries(reader, reader.readVarint() + reader.pos))
    }
  } catch (error) {
    if (error instanceof QueryError) throw error
    throw new QueryError('the request is no WriteRequest of remote write 1.0')
  }
  return series
}

function plain(body: Uint8Array): Uint8Array {
  try {
    return uncompress(body, MOST_BYTES)
  } catch {
    throw new QueryError(`the request is not compressed by snappy, or holds more than ${MOST_BYTES} bytes`)
  }
}

function readSeries(reader: PbfReader, end: number): Samples {
  const labels: [string, string][] = []
  const times: number[] = []
  const words: number[] = []
  for (let field = reader.nextField(end); field !== 0; field = reader.nextField(end)) {
    if (field === 1) labels.push(readLabel(reader, reader.readVarint() + reader.pos))
    else if (field === 2) readSample(reader, reader.readVarint() + reader.pos, times, words)
  }
  if (labels.length > MOST_LABELS) throw new QueryError(`a series has more than ${MOST_LABELS} labels`)
  if (!labels.some(([name, value]) => name === NAME && value !== '')) throw new QueryError('a series has no name')
  const order = times.map((_, index) => index).sort((one, other) => (times[one] ?? 0) - (times[other] ?? 0))
  const values = new Float64Array(times.length)
  // Written as words: a number that went through a variable would lose the bits by which an end of series is told.
  const bits = new Uint32Array(values.buffer)
  order.forEach((from, to) => {
    bits[to * 2] = words[from * 2] ?? 0
    bits[to * 2 + 1] = words[from * 2 + 1] ?? 0
  })
  return { labels: labelsOf(labels), times: Float64Array.from(order, (index) => times[index] ?? 0), values }
}

function readLabel(reader: PbfReader, end: number): [string, string] {
  let [name, value] = ['', '']
  for (let field = reader.nextField(end); field !== 0; field = reader.nextField(end)) {
    if (field === 1) name = reader.readString()
    else if (field === 2) value = reader.readString()
  }
  if (name === '') throw new QueryError('a label has no name')
  if (value.length > MOST_VALUE) throw new QueryError(`the label ${name} is longer than ${MOST_VALUE} characters`)
  return [name, value]
}

function readSample(reader: PbfReader, end: number, times: number[], words: number[]): void {
  let [time, low, high] = [0, 0, 0]
  for (let field = reader.nextField(end); field !== 0; field = reader.nextField(end)) {
    if (field === 1) {
      low = reader.readFixed32()
      high = reader.readFixed32()
    } else if (field === 2) time = reader.readVarint(true)
  }
  times.push(time)
  words.push(low, high)
}
