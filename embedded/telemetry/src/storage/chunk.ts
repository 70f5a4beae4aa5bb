/** Samples of a chunk: times in milliseconds since 1970, and values, of which NaN keeps its bits. */
interface Chunk {
  times: Float64Array
  values: Float64Array
}

export const SAMPLES_OF_A_CHUNK = 120

/** Writes whole numbers of any size in groups of seven bits, small ones of either sign in one byte. */
function writeSigned(bytes: number[], value: number): void {
  let rest = value < 0 ? -2 * value - 1 : 2 * value
  while (rest >= 128) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
}

/**
 * Packs samples: of times the change of their distance, of values the bytes in which one differs from the one before.
 * A series that is read every 30 seconds takes about a byte for the time.
 */
export function packChunk({ times, values }: Chunk): Uint8Array {
  const bytes: number[] = []
  writeSigned(bytes, times.length)
  let [time, distance] = [0, 0]
  for (const next of times) {
    writeSigned(bytes, next - time - distance)
    distance = next - time
    time = next
  }
  const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  let before: Uint8Array = new Uint8Array(8)
  for (let at = 0; at < raw.length; at += 8) {
    const bits = raw.subarray(at, at + 8)
    let mask = 0
    for (let index = 0; index < 8; index++) if (bits[index] !== before[index]) mask |= 1 << index
    bytes.push(mask)
    for (let index = 0; index < 8; index++) if (mask & (1 << index)) bytes.push(bits[index] ?? 0)
    before = bits
  }
  return Uint8Array.from(bytes)
}

/** The samples of a packed chunk. */
export function unpackChunk(bytes: Uint8Array): Chunk {
  let at = 0
  const readSigned = () => {
    let [value, scale] = [0, 1]
    for (;;) {
      const byte = bytes[at++]
      if (byte === undefined) throw new Error('a chunk of samples ends too early')
      value += (byte % 128) * scale
      if (byte < 128) break
      scale *= 128
    }
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }
  const count = readSigned()
  const times = new Float64Array(count)
  const values = new Float64Array(count)
  let [time, distance] = [0, 0]
  for (let index = 0; index < count; index++) {
    distance += readSigned()
    time += distance
    times[index] = time
  }
  const raw = new Uint8Array(values.buffer)
  for (let index = 0; index < count; index++) {
    const mask = bytes[at++] ?? 0
    for (let part = 0; part < 8; part++) {
      const place = index * 8 + part
      raw[place] = mask & (1 << part) ? (bytes[at++] ?? 0) : (raw[place - 8] ?? 0)
    }
  }
  return { times, values }
}
