/** One field of a protobuf message: its number and its raw value. */
export interface WireField {
  number: number
  value: bigint | Uint8Array
}

export class MalformedProtobuf extends Error {}

function varint(bytes: Uint8Array, start: number): { value: bigint; next: number } {
  let value = 0n
  for (let at = start, shift = 0n; at < bytes.length && shift < 70n; at += 1, shift += 7n) {
    const byte = bytes[at] ?? 0
    value |= BigInt(byte & 0x7f) << shift
    if (byte < 0x80) return { value, next: at + 1 }
  }
  throw new MalformedProtobuf('a number does not end')
}

function bytesAt(bytes: Uint8Array, start: number, length: number): Uint8Array {
  if (length < 0 || start + length > bytes.length) throw new MalformedProtobuf('a field is longer than its message')
  return bytes.subarray(start, start + length)
}

/** The fields of a message in order of appearance. */
export function* wireFields(bytes: Uint8Array): Generator<WireField> {
  let at = 0
  while (at < bytes.length) {
    const tag = varint(bytes, at)
    const number = Number(tag.value >> 3n)
    const type = Number(tag.value & 7n)
    if (type === 0) {
      const { value, next } = varint(bytes, tag.next)
      at = next
      yield { number, value }
    } else if (type === 2) {
      const length = varint(bytes, tag.next)
      const value = bytesAt(bytes, length.next, Number(length.value))
      at = length.next + value.length
      yield { number, value }
    } else if (type === 1 || type === 5) {
      const value = bytesAt(bytes, tag.next, type === 1 ? 8 : 4)
      at = tag.next + value.length
      yield { number, value }
    } else {
      throw new MalformedProtobuf(`wire type ${type} is not used by Kubernetes`)
    }
  }
}
