import type { IncomingMessage } from 'node:http'
import { parse as parseYaml } from 'yaml'
import { badRequest, KubeError, tooLarge, unsupportedMediaType } from '../api-error.ts'
import { duplicateKeys } from '../machinery/duplicate-keys.ts'
import { decodeProtobuf } from '../machinery/protobuf.ts'
import { isDoc } from '../store/doc.ts'

const MAX_BODY = 3 * 1024 * 1024
const MAX_DEPTH = 500
const YAML_DEPTH = 100

/** Beyond this nobody waits for a body to end, to say that it was too large. */
const MAX_DRAINED = 64 * 1024 * 1024

/** The body of a request. A body that is too large is read to its end, because else the client misses the refusal. */
export async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    const bytes: Buffer = chunk
    size += bytes.length
    if (size > MAX_DRAINED) break
    if (size <= MAX_BODY) chunks.push(bytes)
  }
  if (size > MAX_BODY) throw tooLarge(`Request entity too large: limit is ${MAX_BODY}`)
  return Buffer.concat(chunks)
}

export const mediaTypeOf = (request: IncomingMessage): string =>
  (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

/** Brackets open at once, outside of strings: deep nesting would exhaust the stack of whatever walks the value. */
function nesting(text: string): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === 92) at += 1
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 123 || code === 91) deepest = Math.max(deepest, ++depth)
    else if (code === 125 || code === 93) depth -= 1
  }
  return deepest
}

const deepestIndent = (text: string): number => {
  let deepest = 0
  for (const line of text.matchAll(/^[ -]*/gm)) deepest = Math.max(deepest, line[0].length)
  return deepest
}

/** Where a text ends too early is what people look for; all else is named as the parser names it. */
function jsonComplaint(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : String(error)
  const place = /at position (\d+)/.exec(message)?.[1]
  return /Unexpected end/.test(message) || Number(place) === text.length ? 'unexpected end of JSON input' : message
}

function hasTrap(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasTrap)
  return isDoc(value) && (Object.hasOwn(value, '__proto__') || Object.values(value).some(hasTrap))
}

/**
 * Refuses the one name of a field by which JavaScript writes to what all objects share. A real API server takes it; here the
 * sign-in of everybody runs in the same process.
 */
function withoutTrap(value: unknown, text: string): unknown {
  if (/proto|\\/.test(text) && hasTrap(value)) throw badRequest('the sandbox has no fields with the name __proto__')
  return value
}

function parseJson(text: string): unknown {
  if (nesting(text) > MAX_DEPTH) throw badRequest('json: exceeded max depth')
  try {
    return withoutTrap(JSON.parse(text), text)
  } catch (error) {
    if (error instanceof KubeError) throw error
    throw badRequest(`couldn't get version/kind; json parse error: ${jsonComplaint(error, text)}`)
  }
}

function parseYamlText(text: string): unknown {
  if (/^\s*[{[]/.test(text)) return parseJson(text)
  if (nesting(text) > YAML_DEPTH || deepestIndent(text) > 2 * YAML_DEPTH) throw badRequest('yaml: exceeded max depth')
  try {
    return withoutTrap(parseYaml(text, { maxAliasCount: 100, schema: 'core', version: '1.1', merge: true }), text)
  } catch (error) {
    if (error instanceof KubeError) throw error
    throw badRequest(`error converting YAML to JSON: yaml: ${error instanceof Error ? error.message : error}`)
  }
}

const DECODERS: Record<string, (bytes: Buffer) => unknown> = {
  '': (bytes) => parseJson(bytes.toString('utf8')),
  'application/json': (bytes) => parseJson(bytes.toString('utf8')),
  'application/yaml': (bytes) => parseYamlText(bytes.toString('utf8')),
  'application/vnd.kubernetes.protobuf': (bytes) => withoutTrap(decodeProtobuf(bytes), bytes.toString('latin1')),
}

/** Names that a body in JSON gives twice in one object. */
export const duplicatesIn = (mediaType: string, bytes: Buffer): string[] =>
  mediaType === '' || mediaType === 'application/json' ? duplicateKeys(bytes.toString('utf8')) : []

/** A whole object in any of the encodings the API takes. */
export function decodeBody(mediaType: string, bytes: Buffer): unknown {
  const decode = DECODERS[mediaType]
  if (!decode) {
    throw unsupportedMediaType(
      'the body of the request was in an unknown format - accepted media types include: ' +
        'application/json, application/yaml, application/vnd.kubernetes.protobuf',
    )
  }
  return decode(bytes)
}

export type PatchKind = 'json' | 'merge' | 'strategic' | 'apply'

const PATCH_KINDS: Record<string, PatchKind> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
}

/** Kind of patch that a media type stands for, among those the resource takes; any other is refused with 415. */
export function patchKindOf(mediaType: string, custom: boolean): PatchKind {
  const kind = PATCH_KINDS[mediaType]
  if (kind && !(custom && kind === 'strategic')) return kind
  if (kind !== 'strategic') throw unsupportedMediaType('415: Unsupported Media Type')
  const taken = Object.keys(PATCH_KINDS).filter((name) => PATCH_KINDS[name] !== 'strategic')
  const why = `accepted media types include: ${taken.join(', ')}`
  throw unsupportedMediaType(`the body of the request was in an unknown format - ${why}`)
}

export const decodePatch = (kind: PatchKind, bytes: Buffer): unknown =>
  kind === 'apply' ? parseYamlText(bytes.toString('utf8')) : parseJson(bytes.toString('utf8'))
