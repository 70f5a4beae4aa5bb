import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { extractHelm } from '../server/src/adapters/helm/extract-helm.ts'

const chart = join(import.meta.dirname, 'chart')
const cache = resolve(import.meta.dirname, '../node_modules/.cache/image')

const values = {
  image: { repository: 'registry.example.com/quayside' },
  url: 'https://portal.example.com',
  keycloak: { url: 'https://id.example.com' },
  secrets: { existing: 'quayside-secrets' },
}
const ownSecrets = {
  databaseUrl: 'postgresql://quayside:planted-password@database/quayside',
  secretKey: 'planted-key-of-thirty-two-characters',
  keycloakClientSecret: 'planted-client-secret',
  adminPassword: 'planted-admin-password',
}

let helm = ''
beforeAll(async () => {
  mkdirSync(cache, { recursive: true })
  helm = await extractHelm(cache)
})

function run(verb: 'lint' | 'template', given: object): string {
  const args = verb === 'lint' ? ['lint', '--strict', chart] : ['template', 'portal', chart, '--namespace', 'tools']
  return execFileSync(helm, [...args, '--values', '-'], {
    input: JSON.stringify(given),
    encoding: 'utf8',
    stdio: 'pipe',
  })
}

interface Rendered {
  kind: string
  metadata: { name: string; annotations?: Record<string, string> }
  spec: Record<string, unknown>
}

const rendered = (given: object): Rendered[] =>
  parseAllDocuments(run('template', given)).flatMap((each) => (each.toJS() as Rendered | null) ?? [])

function only(objects: readonly Rendered[], kind: string): Rendered {
  const [found] = objects.filter((each) => each.kind === kind)
  if (!found) throw new Error(`no ${kind}`)
  return found
}

const podOf = (objects: readonly Rendered[]) => (only(objects, 'Deployment').spec.template as { spec: Pod }).spec
interface Pod {
  automountServiceAccountToken: boolean
  securityContext: object
  containers: [
    { env: { name: string; value: string }[]; securityContext: object; readinessProbe: object; image: string },
  ]
}

test('passes the strict lint', () => {
  expect(run('lint', values)).toContain('0 chart(s) failed')
})

test.each([
  ['replicas', { replicas: 0 }],
  ['url', { url: 'portal.example.com' }],
  ['digest', { image: { repository: 'quayside', digest: 'sha256:1' } }],
  ['secretKey', { secrets: { secretKey: 'short' } }],
  ['LOG-LEVEL', { settings: { 'LOG-LEVEL': 'debug' } }],
  ['data', { storage: { data: 'much' } }],
  ['image.repository', { image: { repository: '' } }],
  ['url: the address', { url: '' }],
  ['secrets.databaseUrl', { secrets: { existing: '' } }],
])('a wrong value is refused by its name: %s', (name, wrong) => {
  expect(() => run('template', { ...values, ...wrong })).toThrow(name)
})

test('a name that no value has is refused', () => {
  expect(() => run('template', { ...values, replica: 2 })).toThrow('replica')
})

describe('what it renders', () => {
  test('asks for nothing that the level restricted refuses, and for no right in the cluster', () => {
    const objects = rendered(values)
    const pod = podOf(objects)
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    expect(pod.automountServiceAccountToken).toBe(false)
    expect(pod.containers[0].securityContext).toEqual({
      ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    })
    expect(objects.map(({ kind }) => kind).sort()).toEqual(
      ['Deployment', 'NetworkPolicy', 'PodDisruptionBudget', 'Service', 'ServiceAccount'].sort(),
    )
  })

  test('keeps secrets in files: none is in the environment, also where the chart makes the Secret', () => {
    const objects = rendered({ ...values, secrets: { ...ownSecrets, settings: { QUAYSIDE_METRICS_TOKEN: 'metrics' } } })
    const { env } = podOf(objects).containers[0]
    expect(JSON.stringify(podOf(objects))).not.toContain('planted')
    expect(env).toContainEqual({ name: 'QUAYSIDE_METRICS_TOKEN_FILE', value: '/run/secrets/quayside/metrics' })
    expect(env).toContainEqual({ name: 'DATABASE_URL_FILE', value: '/run/secrets/quayside/database-url' })
    expect(only(objects, 'Secret')).toMatchObject({ stringData: { 'secret-key': ownSecrets.secretKey } })
  })

  test('lets the ingress controller in, and gives it sticky sessions and the host of the address', () => {
    const objects = rendered({ ...values, ingress: { enabled: true, controllerNamespace: 'edge', tlsSecret: 'cert' } })
    expect(JSON.stringify(only(objects, 'NetworkPolicy').spec)).toContain('"kubernetes.io/metadata.name":"edge"')
    const { metadata, spec } = only(objects, 'Ingress')
    expect(metadata.annotations).toMatchObject({ 'nginx.ingress.kubernetes.io/affinity': 'cookie' })
    expect(spec).toMatchObject({
      tls: [{ hosts: ['portal.example.com'], secretName: 'cert' }],
      rules: [{ host: 'portal.example.com' }],
    })
  })

  test('speaks https by itself where a certificate is named, and is asked by https then', () => {
    const [portal] = podOf(rendered({ ...values, tls: { existingSecret: 'cert' } })).containers
    expect(portal.env).toContainEqual({ name: 'QUAYSIDE_TLS_CERT_FILE', value: '/run/secrets/tls/tls.crt' })
    expect(portal.readinessProbe).toMatchObject({ httpGet: { path: '/readyz', scheme: 'HTTPS' } })
  })

  test('runs the image of the version, or of a digest', () => {
    const digest = `sha256:${'a'.repeat(64)}`
    expect(podOf(rendered(values)).containers[0].image).toBe('registry.example.com/quayside:5.7.0')
    expect(podOf(rendered({ ...values, image: { ...values.image, digest } })).containers[0].image).toBe(
      `registry.example.com/quayside@${digest}`,
    )
  })

  test('one portal has no disruption budget, which would keep its node from being emptied', () => {
    expect(rendered({ ...values, replicas: 1 }).map(({ kind }) => kind)).not.toContain('PodDisruptionBudget')
  })
})
