import { isSecretName, secretsInText } from '@quayside/values/secrets/secret-names'
import { parseAllDocuments } from 'yaml'
import type { ReleaseRevision } from '../ports.ts'
import { partsWithSecrets } from './mask-manifest.ts'

/** Values that are secret because a chart has put them into a Secret, made up by the chart or not. */
interface ChartSecrets {
  texts: string[]
  /** There is more than can be looked for in every line: what the chart says must not be shown at all. */
  isTooMuch: boolean
}

/**
 * A shorter value of a Secret is left readable: it guards nothing, and hiding `on` or `443` wherever they stand would
 * leave nothing to read of a log.
 */
const shortest = 4
/** Least characters of a line in a text of many lines: a shorter one occurs elsewhere, too. */
const shortestLine = 8
const mostTexts = 4000
const mostLetters = 256 * 1024
const deepest = 60
const noSecret = /^(?:true|false|null|none|default)$/i
const metadataName = /^ {2}name: *["']?([\w.-]{1,253})["']? *$/gm

/** The data of every Secret that a revision is made of, its hooks with it. */
export function secretsOfRelease(
  release: Pick<ReleaseRevision, 'name' | 'namespace' | 'chart' | 'manifest' | 'hooks'>,
): ChartSecrets {
  const manifests = [release.manifest, ...release.hooks.map(({ manifest }) => manifest)]
  const parts = manifests.flatMap(partsWithSecrets)
  if (parts.length === 0) return { texts: [], isTooMuch: false }
  const found = createFound()
  for (const part of parts) readPart(part, found)
  // Names of objects appear in every line about them, so they are no secrets even when a Secret contains them.
  const names = new Set([release.name, release.namespace, release.chart.name])
  for (const manifest of manifests) for (const [, name] of manifest.matchAll(metadataName)) names.add(name ?? '')
  return { texts: found.texts().filter((text) => !names.has(text)), isTooMuch: found.isTooMuch() }
}

type Found = ReturnType<typeof createFound>

function createFound() {
  const texts = new Set<string>()
  let letters = 0
  const isTooMuch = () => texts.size > mostTexts || letters > mostLetters
  return {
    isTooMuch,
    texts: () => [...texts],
    add(text: string, least = shortest) {
      const secret = text.trim()
      if (secret.length < least || noSecret.test(secret) || texts.has(secret) || isTooMuch()) return
      texts.add(secret)
      letters += secret.length
    },
  }
}

function readPart(part: string, found: Found): void {
  try {
    const documents = parseAllDocuments(part, {
      uniqueKeys: false,
      logLevel: 'silent',
      schema: 'failsafe',
      merge: true,
    })
    if (documents.every(({ errors }) => errors.length === 0)) {
      for (const document of documents) look(document.toJS({ maxAliasCount: 1000 }), found, false, 0)
      return
    }
  } catch {
    // Nested so deeply, or with aliases so odd, that nothing here reads it.
  }
  for (const line of part.split('\n')) readUnread(line, found)
}

/** A document that Helm could read and the portal cannot may be a Secret: every value in it counts as secret. */
function readUnread(line: string, found: Found): void {
  const [name, value] = settingIn(line)
  if (value === '' || /^(?:apiVersion|kind|name|namespace|type)$/.test(name)) return
  take(name, value, found)
  takeEncoded(name, value, found)
}

/** The name and value that a line sets, in YAML, in a properties file or in a shell script. */
function settingIn(line: string): [name: string, value: string] {
  const start = /^[\s-]{0,200}(?:export\s{1,5})?["']?([\w./-]{1,253})["']?\s{0,20}[:=]\s{0,20}/.exec(line)
  if (!start) return ['', '']
  const value = line.slice(start[0].length).trim()
  return [start[1] ?? '', value.replace(/^["']/, '').replace(/["'],?$/, '')]
}

/** Items of a SecretList are Secrets without saying so. */
function look(node: unknown, found: Found, isAmongSecrets: boolean, depth: number): void {
  if (depth > deepest || found.isTooMuch()) return
  if (Array.isArray(node)) for (const item of node) look(item, found, isAmongSecrets, depth + 1)
  if (!isRecord(node)) return
  const isSecret = node.kind === 'Secret' || (isAmongSecrets && node.kind === undefined)
  for (const [name, value] of Object.entries(node)) {
    if (isSecret && name === 'data') each(value, (key, text) => takeEncoded(key, text, found))
    else if (isSecret && name === 'stringData') each(value, (key, text) => take(key, text, found))
    else look(value, found, name === 'items' && node.kind === 'SecretList', depth + 1)
  }
}

function each(data: unknown, read: (key: string, text: string) => void): void {
  if (isRecord(data)) for (const [key, value] of Object.entries(data)) if (typeof value === 'string') read(key, value)
}

function takeEncoded(name: string, encoded: string, found: Found): void {
  const bytes = Buffer.from(encoded, 'base64')
  const text = bytes.toString('utf8')
  const isText = !text.includes('\u0000') && !text.includes('\ufffd')
  // Bytes are said in base64 or not at all; of many lines not each would be found in the base64 of them all.
  if (!isText || text.includes('\n')) found.add(bytes.toString('base64'))
  if (isText) take(name, text, found)
}

/** One value: whole, line by line, and what is secret inside of it. */
function take(name: string, text: string, found: Found): void {
  const whole = text.trim()
  if (whole.length > mostLetters || !whole.includes('\n')) found.add(whole)
  if (whole.length > mostLetters) return
  for (const secret of secretsInText(whole)) found.add(secret)
  if (/^[[{]/.test(whole)) takeJson(whole, found)
  if (!whole.includes('\n')) return
  for (const line of whole.split('\n')) {
    found.add(line, isSecretName(name) ? shortest : shortestLine)
    const [key, value] = settingIn(line)
    if (isSecretName(key)) found.add(value)
  }
}

function takeJson(text: string, found: Found): void {
  try {
    leaves(JSON.parse(text), found, 0)
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
  }
}

function leaves(node: unknown, found: Found, depth: number): void {
  if (typeof node === 'string') for (const line of node.split('\n')) found.add(line)
  else if (typeof node === 'object' && node !== null && depth < deepest)
    for (const child of Object.values(node)) leaves(child, found, depth + 1)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
