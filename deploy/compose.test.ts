import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

interface Service {
  image: string
  secrets: string[]
  healthcheck?: { test: string[] }
  depends_on?: Record<string, { condition: string }>
  environment?: Record<string, string>
  configs?: { source: string }[]
}

const folder = join(import.meta.dirname, 'compose')
const { services, secrets, configs } = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8')) as {
  services: Record<string, Service>
  secrets: Record<string, { file: string }>
  configs: Record<string, { content: string }>
}
const operations = readFileSync(resolve(folder, '../../docs/operations.md'), 'utf8')

test('each service waits for those that it needs, by a check that they have', () => {
  for (const [name, { depends_on = {} }] of Object.entries(services))
    for (const [other, { condition }] of Object.entries(depends_on)) {
      expect(services[other], `${name} → ${other}`).toBeDefined()
      if (condition === 'service_healthy') expect(services[other]?.healthcheck, other).toBeDefined()
    }
})

test('each secret is a file that the guide makes, and a service is given those that it reads', () => {
  expect([...new Set(Object.values(services).flatMap((each) => each.secrets))].sort()).toEqual(
    Object.keys(secrets).sort(),
  )
  for (const [name, { file }] of Object.entries(secrets)) {
    expect(file).toBe(`./secrets/${name}`)
    expect(operations).toMatch(new RegExp(`\\b${name}\\b`))
  }
  for (const [name, service] of Object.entries(services)) {
    const scripts = (service.configs ?? []).map(({ source }) => configs[source]?.content)
    const read = [...JSON.stringify([service, scripts]).matchAll(/\/run\/secrets\/([a-z-]+)/g)].map(
      ([, secret]) => secret,
    )
    expect([...new Set(read)].sort(), name).toEqual([...service.secrets].sort())
  }
})

test('the check of each service is a list of texts', () => {
  for (const { healthcheck } of Object.values(services))
    for (const word of healthcheck?.test ?? []) expect(word).toBeTypeOf('string')
})

test('the portal runs the version of this repository', () => {
  const { version } = JSON.parse(readFileSync(resolve(folder, '../../package.json'), 'utf8')) as { version: string }
  expect(services.portal?.image).toContain(`quayside:${version}`)
})

test('the portal and Keycloak sign in to databases of their own, as no superusers', () => {
  const roles = configs.databases?.content ?? ''
  for (const role of ['quayside', 'keycloak'])
    expect(roles).toMatch(new RegExp(`create role ${role} login nosuperuser nobypassrls password`))
  expect(services.keycloak?.environment?.KC_DB_USERNAME).toBe('keycloak')
  expect(operations).toContain('postgresql://quayside:')
})
