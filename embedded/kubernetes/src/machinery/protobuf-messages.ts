import { readFileSync } from 'node:fs'

export interface MessageField {
  /** Empty for a part whose fields count as the parent's own. */
  name: string
  /** text, bytes, int, bool, double, time, micro, duration, quantity, either, raw, strings, FieldsV1, or a message. */
  type: string
  repeated: boolean
  /** A map from text to the type. */
  map: boolean
  /** Go writes zeros that JSON leaves out. */
  dropsZero: boolean
}

type Message = ReadonlyMap<number, MessageField>

const FIELD = /^(\d+):([^:]*):(.*?)(\[\])?(\{\})?(\?)?$/

function readField(source: string): [number, MessageField] {
  const [, number, name = '', type = '', repeated, map, dropsZero] = FIELD.exec(source) ?? []
  return [
    Number(number),
    { name, type, repeated: repeated !== undefined, map: map !== undefined, dropsZero: dropsZero !== undefined },
  ]
}

let sources: Map<string, string[]> | undefined
const messages = new Map<string, Message>()

function readSources(): Map<string, string[]> {
  const file = readFileSync(new URL('./protobuf-messages.txt', import.meta.url), 'utf8')
  const lines = file.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const [name = '', ...fields] = line.split(' ')
      return [name, fields]
    }),
  )
}

/** The fields of a message by number; undefined for messages that are not known. */
export function messageFields(name: string): Message | undefined {
  const known = messages.get(name)
  if (known) return known
  sources ??= readSources()
  const source = sources.get(name)
  if (!source) return undefined
  const made = new Map(source.map(readField))
  messages.set(name, made)
  return made
}

/** Kinds of which several groups or versions have one: the table tells them apart by group. */
const PREFIXES: Record<string, string> = {
  v1: 'core',
  'autoscaling/v1': 'autoscalingv1',
  'autoscaling/v2': 'autoscalingv2',
  'events.k8s.io/v1': 'events',
  'authentication.k8s.io/v1': 'authentication',
  'storage.k8s.io/v1': 'storage',
}

/** The name under which the table has a kind. */
export function messageOf(apiVersion: string, kind: string): string {
  const prefix = PREFIXES[apiVersion]
  const qualified = prefix ? `${prefix}.${kind}` : kind
  return messageFields(qualified) ? qualified : kind
}
