import { badRequest, unsupportedMediaType } from '../api-error.ts'
import { type Doc, isDoc } from '../store/doc.ts'
import { type MessageField, messageFields, messageOf } from './protobuf-messages.ts'
import { MalformedProtobuf, type WireField, wireFields } from './protobuf-reader.ts'

const MAGIC = [0x6b, 0x38, 0x73, 0x00]
const MAX_DEPTH = 64
const utf8 = new TextDecoder('utf-8', { fatal: true })

const asBytes = ({ value }: WireField): Uint8Array => {
  if (typeof value === 'bigint') throw new MalformedProtobuf('a number stands where bytes belong')
  return value
}

const asText = (field: WireField): string => utf8.decode(asBytes(field))

const asNumber = ({ value }: WireField): number => {
  if (typeof value !== 'bigint') throw new MalformedProtobuf('bytes stand where a number belongs')
  return Number(BigInt.asIntN(64, value))
}

const asDouble = (field: WireField): number => {
  const bytes = asBytes(field)
  if (bytes.length !== 8) throw new MalformedProtobuf('a fraction has eight bytes')
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true)
}

/** The numbered parts of a small message, as far as somebody asks for them. */
const partsOf = (field: WireField): Map<number, WireField> =>
  new Map([...wireFields(asBytes(field))].map((part) => [part.number, part]))

/** Time and MicroTime: seconds and nanoseconds. An empty message is the zero time, which JSON leaves out. */
function asTime(field: WireField, fraction: boolean): string | undefined {
  const parts = partsOf(field)
  const seconds = parts.get(1)
  if (!seconds) return undefined
  const iso = new Date(asNumber(seconds) * 1000).toISOString().slice(0, 19)
  const nanos = parts.get(2)
  const micros = Math.floor((nanos ? asNumber(nanos) : 0) / 1000)
  return fraction ? `${iso}.${String(micros).padStart(6, '0')}Z` : `${iso}Z`
}

/** A number or a text, by what its first field says. */
function asEither(field: WireField): number | string {
  const parts = partsOf(field)
  const kind = parts.get(1)
  const [number, text] = [parts.get(2), parts.get(3)]
  if (kind && asNumber(kind) === 1) return text ? asText(text) : ''
  return number ? asNumber(number) : 0
}

const firstText = (field: WireField): string => {
  const text = partsOf(field).get(1)
  return text ? asText(text) : ''
}

const SCALARS: Record<string, (field: WireField) => unknown> = {
  text: asText,
  bytes: (field) => Buffer.from(asBytes(field)).toString('base64'),
  int: asNumber,
  bool: (field) => asNumber(field) !== 0,
  double: asDouble,
  time: (field) => asTime(field, false),
  micro: (field) => asTime(field, true),
  quantity: firstText,
  either: asEither,
  raw: (field) => JSON.parse(firstText(field) || 'null'),
  FieldsV1: (field) => JSON.parse(firstText(field) || '{}'),
  strings: (field) => [...wireFields(asBytes(field))].filter(({ number }) => number === 1).map(asText),
}

function readValue(type: string, field: WireField, depth: number): unknown {
  const scalar = SCALARS[type]
  return scalar ? scalar(field) : readMessage(type, asBytes(field), depth + 1)
}

function readEntry(type: string, field: WireField, depth: number): readonly [string, unknown] {
  const parts = partsOf(field)
  const [key, value] = [parts.get(1), parts.get(2)]
  const missing = type === 'text' || type === 'bytes' || type === 'quantity' ? '' : {}
  return [key ? asText(key) : '', value ? readValue(type, value, depth) : missing]
}

const isZero = (value: unknown) => value === '' || value === 0 || value === false

function addField(target: Doc, known: MessageField, field: WireField, depth: number): void {
  const { name, type } = known
  const present = target[name]
  if (known.repeated) {
    const value = readValue(type, field, depth)
    if (Array.isArray(present)) present.push(value)
    else target[name] = [value]
  } else if (known.map) {
    const [key, value] = readEntry(type, field, depth)
    const map: Doc = isDoc(present) ? present : Object.create(null)
    map[key] = value
    target[name] = map
  } else {
    const value = readValue(type, field, depth)
    if (name === '') Object.assign(target, value)
    else if (value !== undefined && !(known.dropsZero && isZero(value))) target[name] = value
  }
}

function readMessage(message: string, bytes: Uint8Array, depth: number): Doc {
  const fields = messageFields(message)
  if (depth > MAX_DEPTH) throw new MalformedProtobuf('messages are nested too deeply')
  if (!fields) {
    throw unsupportedMediaType(
      `${message} is read as application/json or application/yaml, not as application/vnd.kubernetes.protobuf`,
    )
  }
  const result: Doc = {}
  for (const field of wireFields(bytes)) {
    const known = fields.get(field.number)
    if (known) addField(result, known, field, depth)
  }
  return result
}

/** The envelope: what kind it is, and the bytes of the message. */
function readEnvelope(bytes: Uint8Array): Doc {
  const envelope = new Map([...wireFields(bytes.subarray(MAGIC.length))].map((field) => [field.number, field]))
  const [type, raw] = [envelope.get(1), envelope.get(2)]
  const names = type ? partsOf(type) : new Map<number, WireField>()
  const [version, name] = [names.get(1), names.get(2)]
  const apiVersion = version ? asText(version) : ''
  const kind = name ? asText(name) : ''
  return { apiVersion, kind, ...readMessage(messageOf(apiVersion, kind), raw ? asBytes(raw) : new Uint8Array(), 0) }
}

/** The JSON form of a body of type application/vnd.kubernetes.protobuf. */
export function decodeProtobuf(bytes: Uint8Array): Doc {
  if (!MAGIC.every((byte, index) => bytes[index] === byte)) {
    throw badRequest('the body does not start with the mark of application/vnd.kubernetes.protobuf')
  }
  try {
    return readEnvelope(bytes)
  } catch (error) {
    const malformed = error instanceof MalformedProtobuf || error instanceof TypeError || error instanceof SyntaxError
    if (!malformed && !(error instanceof RangeError)) throw error
    throw badRequest(`unable to decode the protobuf body: ${error.message}`)
  }
}
