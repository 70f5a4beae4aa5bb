import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { KubeConfig } from '@kubernetes/client-node'
import { type Answer, type Body, expectCode, type Printed } from './answers.ts'
import type { Need } from './check.ts'
import type { CallOptions, HttpsClient } from './https-client.ts'
import type { Program, RunOptions } from './programs.ts'
import { resourcePath } from './resource-path.ts'
import { removeNamespace } from './sweep.ts'
import type { Target } from './target.ts'

/** Ends a check that cannot be made here. */
export class Skipped extends Error {}

export const MERGE = 'application/merge-patch+json'
export const STRATEGIC = 'application/strategic-merge-patch+json'
export const JSON_PATCH = 'application/json-patch+json'
export const APPLY = 'application/apply-patch+yaml'

type Write = (resource: string, body: unknown, options?: CallOptions) => Promise<Answer>

/**
 * Tools of a check: a namespace of its own, and the API. Resources are written `v1/pods/web` and
 * `apps/v1/deployments?limit=1`; they are those of the namespace, unless `wide` is asked for.
 */
export interface Scope {
  readonly namespace: string
  readonly config: KubeConfig
  readonly has: ReadonlySet<Need>
  readonly call: HttpsClient['call']
  readonly path: (resource: string) => string
  readonly get: (resource: string, options?: CallOptions) => Promise<Answer>
  readonly post: Write
  readonly put: Write
  readonly patch: (resource: string, type: string, body: unknown, options?: CallOptions) => Promise<Answer>
  readonly remove: (resource: string, body?: unknown) => Promise<Answer>
  /** Creates what must be creatable, and hands it back. */
  readonly make: (resource: string, body: unknown) => Promise<Body>
  /** Creates something cluster-wide, and takes it away afterwards. */
  readonly makeWide: (resource: string, body: unknown) => Promise<Body>
  /** Reads an object that must exist. */
  readonly read: (resource: string) => Promise<Body>
  readonly watch: (resource: string, enough: (lines: Body[]) => boolean) => Promise<Body[]>
  /** A name that nobody else in the cluster has. */
  readonly unique: (stem: string) => string
  /** Done when the check is over, last first. */
  readonly afterwards: (work: () => Promise<unknown>) => void
  /** One more namespace. */
  readonly otherNamespace: () => Promise<string>
  /** The account that pods run as; controllers make it, but not at once and not everywhere. */
  readonly account: () => Promise<void>
  /** Runs in the namespace; the words of a line, or an array where one has blanks. */
  readonly kubectl: (args: string | readonly string[], options?: RunOptions) => Promise<Printed>
  readonly helm: (args: string | readonly string[], options?: RunOptions) => Promise<Printed>
  /** Writes a file and says where it is. */
  readonly file: (name: string, text: string) => string
  /** Polls until the work hands something back. */
  readonly until: <T>(what: string, work: () => Promise<T | undefined | false>, seconds?: number) => Promise<T>
}

const PAUSE = 50

const isNamed = (body: unknown): body is { metadata: { name: string } } =>
  typeof (body as Body)?.metadata?.name === 'string'

async function until<T>(what: string, work: () => Promise<T | undefined | false>, seconds = 45): Promise<T> {
  const deadline = Date.now() + seconds * 1000
  for (;;) {
    const found = await work()
    if (found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`waited ${seconds} s in vain: ${what}`)
    await new Promise((next) => setTimeout(next, PAUSE))
  }
}

const namespaceBody = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { conformance: 'true' } },
})

function inNamespace(program: Program | undefined, name: string, namespace: string): Scope['kubectl'] {
  return (args, options) => {
    if (!program) throw new Skipped(`${name} is not installed`)
    const words = typeof args === 'string' ? args.split(/\s+/) : args
    return program(['--namespace', namespace, ...words], options)
  }
}

/** Opens a scope for one check; to be closed whatever came of it. */
export async function openScope(target: Target): Promise<{ scope: Scope; close(): Promise<void> }> {
  const mark = randomBytes(4).toString('hex')
  const namespace = `conf-${mark}`
  const { call, watch } = target.https
  const path = (resource: string) =>
    resource.startsWith('/') ? resource : resourcePath(resource, isWide(resource) ? undefined : namespace)
  const cleanups: (() => Promise<unknown>)[] = []
  const folder = join(target.folder, namespace)
  const addNamespace = async (name: string) => {
    expectCode(await call('POST', '/api/v1/namespaces', { body: namespaceBody(name) }), 201)
    cleanups.push(() => removeNamespace(target, name))
    return name
  }
  await addNamespace(namespace)

  const scope: Scope = {
    namespace,
    config: target.config,
    has: target.has,
    call,
    path,
    get: (resource, options) => call('GET', path(resource), options),
    post: (resource, body, options) => call('POST', path(resource), { body, ...options }),
    put: (resource, body, options) => call('PUT', path(resource), { body, ...options }),
    patch: (resource, type, body, options) => call('PATCH', path(resource), { body, type, ...options }),
    remove: (resource, body) => call('DELETE', path(resource), { body }),
    make: async (resource, body) => expectCode(await call('POST', path(resource), { body }), 201),
    async makeWide(resource, body) {
      const made = expectCode(await call('POST', path(resource), { body }), 201)
      const where = path(resource).replace(/\?.*/, '')
      cleanups.push(() => call('DELETE', `${where}/${isNamed(made) ? made.metadata.name : ''}`))
      return made
    },
    read: async (resource) => expectCode(await call('GET', path(resource)), 200),
    watch: (resource, enough) => watch(path(resource), enough),
    unique: (stem) => `${stem}-${mark}-${randomBytes(2).toString('hex')}`,
    afterwards: (work) => cleanups.push(work),
    otherNamespace: () => addNamespace(`conf-${mark}-${randomBytes(2).toString('hex')}`),
    async account() {
      const body = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }
      const { code } = await call('POST', path('v1/serviceaccounts'), { body })
      assert.ok(code === 201 || code === 409, `the default account was answered with ${code}`)
    },
    kubectl: inNamespace(target.kubectl, 'kubectl', namespace),
    helm: inNamespace(target.helm, 'helm', namespace),
    file(name, text) {
      const where = join(folder, name)
      mkdirSync(dirname(where), { recursive: true })
      writeFileSync(where, text)
      return where
    },
    until,
  }
  return {
    scope,
    async close() {
      for (const cleanup of cleanups.reverse()) await cleanup()
    },
  }
}

const WIDE = new RegExp(
  `^(?:v1/(?:namespaces|nodes|persistentvolumes)|${[
    'rbac\\.authorization\\.k8s\\.io/[^/]+/cluster',
    'apiextensions\\.k8s\\.io',
    'apiregistration\\.k8s\\.io',
    'admissionregistration\\.k8s\\.io',
    'scheduling\\.k8s\\.io',
    'storage\\.k8s\\.io/[^/]+/(?:storageclasses|csi(?:drivers|nodes)|volumeattachments)',
    'certificates\\.k8s\\.io',
    'node\\.k8s\\.io',
    'flowcontrol\\.apiserver\\.k8s\\.io',
    'authentication\\.k8s\\.io',
    'authorization\\.k8s\\.io/[^/]+/(?:subject|self)',
    'networking\\.k8s\\.io/[^/]+/(?:ingressclasses|servicecidrs|ipaddresses)',
  ].join('|')})`,
)

/** Kinds that live in no namespace; custom ones are asked for by their whole path. */
function isWide(resource: string): boolean {
  return WIDE.test(resource)
}
