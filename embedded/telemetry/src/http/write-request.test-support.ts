import { PbfWriter } from 'pbf'
import { compress } from 'snappyjs'

interface Series {
  labels: Record<string, string>
  /** Milliseconds with a value. */
  samples: [number, number][]
}

/** The body of a request of remote write 1.0. */
export function writeRequest(all: readonly Series[]): Uint8Array {
  const writer = new PbfWriter()
  for (const series of all) writer.writeMessage(1, writeSeries, series)
  return compress(writer.finish())
}

function writeSeries({ labels, samples }: Series, writer: PbfWriter): void {
  for (const entry of Object.entries(labels)) writer.writeMessage(1, writeLabel, entry)
  for (const sample of samples) writer.writeMessage(2, writeSample, sample)
}

function writeLabel([name, value]: [string, string], writer: PbfWriter): void {
  writer.writeStringField(1, name)
  writer.writeStringField(2, value)
}

function writeSample([time, value]: [number, number], writer: PbfWriter): void {
  writer.writeDoubleField(1, value)
  writer.writeVarintField(2, time)
}
