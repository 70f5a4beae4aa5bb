import type { ObjectChange } from '@quayside/contract/deployments/upgrade'
import { changedSecretMark, secretMark } from '@quayside/values/secrets/secret-mark'
import { parse, stringify } from 'yaml'
import { readManifest, splitDocuments } from '../../../adapters/helm/manifest.ts'
import { maskSecrets } from '../secrets/mask-manifest.ts'

interface ObjectText {
  kind: string
  name: string
  namespace: string | null
  text: string
  body: Record<string, unknown>
}

const mostObjects = 300
const mostText = 256 * 1024

interface Differences {
  objects: ObjectChange[]
  unchanged: number
}

/**
 * The objects that are not the same in two manifests, by kind and name. Secrets keep their keys and lose their values;
 * a value that differs says so.
 */
export function diffManifests(before: string, after: string, hide: Hide): Differences {
  return presented(compareManifests(before, after), hide)
}

interface Hide {
  before(text: string): string
  after(text: string): string
}

/** Differences as they are told: other secrets are hidden first, and then the texts are cut. */
export function presented({ objects, unchanged }: Differences, hide: Hide): Differences {
  const told = objects.map((one) => ({
    ...one,
    before: cut(hide.before(one.before)),
    after: cut(hide.after(one.after)),
  }))
  return { objects: told, unchanged }
}

/** Differences with texts of full length, in which only the values of Secrets are hidden. */
export function compareManifests(before: string, after: string): Differences {
  const [old, next] = [objectsOf(before), objectsOf(after)]
  const found: ObjectChange[] = []
  let unchanged = 0
  for (const key of [...new Set([...old.keys(), ...next.keys()])].sort()) {
    const [was, is] = [old.get(key), next.get(key)]
    const one = was ?? is
    if (!one) continue
    if (was && is && (was.text === is.text || isSameValue(was.text, is.text))) {
      unchanged += 1
      continue
    }
    found.push({
      kind: one.kind,
      name: one.name,
      namespace: one.namespace,
      change: !was ? 'added' : !is ? 'removed' : 'changed',
      before: was ? shown(was, undefined) : '',
      after: is ? shown(is, was) : '',
    })
  }
  return { objects: found.slice(0, mostObjects), unchanged }
}

function objectsOf(manifest: string): Map<string, ObjectText> {
  const objects = new Map<string, ObjectText>()
  for (const part of splitDocuments(manifest)) {
    // Hooks come and go with each action, and a release does not count them as its own.
    if (/^\s+["']?helm\.sh\/hook["']?:/m.test(part)) continue
    const whole = `${part.replace(/^# Source: .*$/m, '').trim()}\n`
    for (const { apiVersion, kind, name, namespace = null, body, listed } of readManifest(part)) {
      const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : ''
      const text = listed ? stringify(body, { lineWidth: 0 }) : whole
      objects.set([kind, name, namespace ?? '', group].join(' '), { kind, name, namespace, text, body })
    }
  }
  return objects
}

/** Texts can differ in comments and blank lines alone. */
function isSameValue(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => JSON.stringify(read(text)))
  return left !== undefined && left === right
}

function shown({ kind, text, body: own }: ObjectText, other: ObjectText | undefined): string {
  if (kind !== 'Secret' || Object.keys(own).length === 0) return maskSecrets(text)
  const past = other?.body
  const hidden: Record<string, unknown> = { ...own }
  for (const field of ['data', 'stringData']) {
    const values = own[field]
    if (!isRecord(values)) {
      if (values !== undefined && values !== null) hidden[field] = secretMark
      continue
    }
    const before = isRecord(past?.[field]) ? past[field] : undefined
    hidden[field] = Object.fromEntries(
      Object.entries(values).map(([key, value]) => [
        key,
        before && before[key] !== value ? changedSecretMark : secretMark,
      ]),
    )
  }
  return stringify(hidden, { lineWidth: 0 })
}

function read(text: string): unknown {
  try {
    return parse(text, { uniqueKeys: false, logLevel: 'silent', maxAliasCount: 100 })
  } catch {
    // Helm read it and we cannot: then only the text counts.
    return undefined
  }
}

function cut(text: string): string {
  return text.length <= mostText ? text : `${text.slice(0, mostText)}\n# The rest is too long to show.\n`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
