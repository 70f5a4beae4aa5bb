/** A packed archive wherever it lies: its size in bytes, and its bytes from the first one on, in chunks of any length. */
export interface Packed {
  size: number
  chunks(): AsyncIterable<Buffer>
}

/** An archive that is in memory already, such as a packed subchart or a stored package. */
export function packedInMemory(bytes: Buffer): Packed {
  return {
    size: bytes.length,
    async *chunks() {
      yield bytes
    },
  }
}
