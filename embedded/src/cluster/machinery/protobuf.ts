import { badRequest, unsupportedMediaType } from '../api-error.ts'
import { type Doc, isDoc } from '../store/doc.ts'
import { type MessageField, messageFields } from './protobuf-messages.ts'
import { MalformedProtobuf, type WireField, wireFields } from './protobuf-reader.ts'

const MAGIC = [0x6b, 0x38, 0x73, 0x00]
const utf8 = new TextDecoder('utf-8', { fatal: true })

const asText = ({ value }: WireField): string => {
  if (typeof value === 'bigint') throw new MalformedProtobuf('a number stands where text belongs')
  return utf8.decode(value)
}

const asBytes = ({ value }: WireField): Uint8Array => {
  if (typeof value === 'bigint') throw new MalformedProtobuf('a number stands where bytes belong')
  return value
}

const asNumber = ({ value }: WireField): number => {
  if (typeof value !== 'bigint') throw new MalformedProtobuf('bytes stand where a number belongs')
  return Number(BigInt.asIntN(64, value))
}

/** Time and MicroTime: seconds and nanoseconds. An empty message is the zero time, which JSON leaves out. */
function asTime(field: WireField, fraction: boolean): string | undefined {
  let seconds: number | undefined
  let nanos = 0
  for (const part of wireFields(asBytes(field))) {
    if (part.number === 1) seconds = asNumber(part)
    if (part.number === 2) nanos = asNumber(part)
  }
  if (seconds === undefined) return undefined
  const iso = new Date(seconds * 1000).toISOString().slice(0, 19)
  return fraction ? `${iso}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z` : `${iso}Z`
}

function readValue(type: string, field: WireField): unknown {
  switch (type) {
    case 'text':
      return asText(field)
    case 'bytes':
      return Buffer.from(asBytes(field)).toString('base64')
    case 'int':
      return asNumber(field)
    case 'bool':
      return asNumber(field) !== 0
    case 'time':
      return asTime(field, false)
    case 'micro':
      return asTime(field, true)
    case 'json':
      return JSON.parse(asText(field))
    case 'FieldsV1':
      return readMessage(type, asBytes(field)).raw
    default:
      return readMessage(type, asBytes(field))
  }
}

function readEntry(type: string, field: WireField): readonly [string, unknown] {
  let key = ''
  let value: unknown = ''
  for (const part of wireFields(asBytes(field))) {
    if (part.number === 1) key = asText(part)
    if (part.number === 2) value = readValue(type, part)
  }
  return [key, value]
}

function addField(target: Doc, { name, type }: MessageField, field: WireField): void {
  if (type.endsWith('[]')) {
    const value = readValue(type.slice(0, -2), field)
    const known = target[name]
    if (Array.isArray(known)) known.push(value)
    else target[name] = [value]
  } else if (type.endsWith('{}')) {
    const [key, value] = readEntry(type.slice(0, -2), field)
    const known = target[name]
    const map: Doc = isDoc(known) ? known : Object.create(null)
    map[key] = value
    target[name] = map
  } else {
    const value = readValue(type, field)
    // Go writes its zero values too; in JSON they are left out.
    if (value !== undefined && value !== '') target[name] = value
  }
}

function readMessage(message: string, bytes: Uint8Array): Doc {
  const fields = messageFields(message)
  if (!fields) {
    throw unsupportedMediaType(
      `the sandbox reads ${message} as application/json or application/yaml, not as application/vnd.kubernetes.protobuf`,
    )
  }
  const result: Doc = {}
  for (const field of wireFields(bytes)) {
    const known = fields.get(field.number)
    if (known) addField(result, known, field)
  }
  return result
}

function readEnvelope(bytes: Uint8Array): Doc {
  let apiVersion = ''
  let kind = ''
  let raw: Uint8Array = new Uint8Array()
  for (const field of wireFields(bytes.subarray(MAGIC.length))) {
    if (field.number === 2) raw = asBytes(field)
    if (field.number !== 1) continue
    for (const part of wireFields(asBytes(field))) {
      if (part.number === 1) apiVersion = asText(part)
      if (part.number === 2) kind = asText(part)
    }
  }
  return { apiVersion, kind, ...readMessage(kind, raw) }
}

/** The JSON form of a body of type application/vnd.kubernetes.protobuf. */
export function decodeProtobuf(bytes: Uint8Array): Doc {
  if (!MAGIC.every((byte, index) => bytes[index] === byte)) {
    throw badRequest('the body does not start with the mark of application/vnd.kubernetes.protobuf')
  }
  try {
    return readEnvelope(bytes)
  } catch (error) {
    if (error instanceof MalformedProtobuf || error instanceof TypeError || error instanceof SyntaxError) {
      throw badRequest(`unable to decode the protobuf body: ${error.message}`)
    }
    throw error
  }
}
