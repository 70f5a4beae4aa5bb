import { PbfWriter } from 'pbf'
import { compress } from 'snappyjs'

/** One sample of a series; the name of the metric is the label `__name__`. */
export interface Sample {
  labels: Readonly<Record<string, string>>
  value: number
}

/** The body of a request of remote write 1.0, all samples of one moment: a `WriteRequest` of Protobuf in a snappy block. */
export function writeRequest(samples: readonly Sample[], at: number): Uint8Array {
  const writer = new PbfWriter()
  for (const { labels, value } of samples) {
    writer.writeMessage(
      1,
      (_, series) => {
        // Receivers expect labels in the order of their names.
        for (const label of Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))
          series.writeMessage(1, writeLabel, label)
        series.writeMessage(2, writeSample, [at, value])
      },
      undefined,
    )
  }
  return compress(writer.finish())
}

function writeLabel([name, value]: [string, string], writer: PbfWriter): void {
  writer.writeStringField(1, name)
  writer.writeStringField(2, value)
}

function writeSample([time, value]: [number, number], writer: PbfWriter): void {
  writer.writeDoubleField(1, value)
  writer.writeVarintField(2, time)
}
