import { guardedCalls } from '@quayside/contract/capabilities'
import { describe, expect, it } from 'vitest'
import { aboutAnswer, aboutCall, nameIn } from './about.ts'
import { auditedCalls } from './calls.ts'

describe('what a call is about', () => {
  it('is what its address and its body name', () => {
    const body = { displayName: 'Harbour', clusterIds: ['c1', 'c2'], subject: { kind: 'user', id: 'u1', name: 'zoe' } }
    expect(aboutCall({ id: 's1' }, body)).toEqual({
      ...{ id: 's1', displayName: 'Harbour', clusterIds: 'c1, c2' },
      ...{ 'subject.kind': 'user', 'subject.id': 'u1', 'subject.name': 'zoe' },
    })
  })

  it.each([
    ['a password', { password: 'hunter2', value: 'hunter2', secret: 'hunter2', credentials: [{ value: 'hunter2' }] }],
    ['values', { yaml: 'password: hunter2', values: { a: 'hunter2' }, valuesYaml: 'hunter2' }],
    ['a kubeconfig', { kubeconfig: 'token: hunter2', token: 'hunter2' }],
    ['what lies deeper', { app: { a: { name: 'hunter2' } } }],
    ['an attribute', { attributes: { apiKey: 'hunter2' } }],
  ])('never holds %s', (_, body) => expect(JSON.stringify(aboutCall({}, body))).not.toContain('hunter2'))

  it('names ten of a long list and no text at length', () => {
    const roles = Array.from({ length: 12 }, (_, at) => ({ id: `r${at}`, name: `role-${at}` }))
    const about = aboutCall({}, { roles, name: 'x'.repeat(1000) })
    expect(about.roles).toMatch(/^role-0, .*role-9 and 2 more$/)
    expect(about.name).toHaveLength(200)
  })

  it.each([[null], ['text'], [[1, 2]], [undefined]])('is nothing for a body such as %j', (body) =>
    expect(aboutCall({}, body)).toEqual({}),
  )

  it('stays what its address names, whatever a body says', () => {
    const body = { id: 'e1', role: 'manager', owner: true, expiresAt: null }
    expect(aboutCall({ id: 's1', version: '1' }, { ...body, version: '2' })).toEqual({
      ...{ id: 's1', version: '1', 'body.id': 'e1', 'body.version': '2' },
      ...{ role: 'manager', owner: 'true', expiresAt: 'never' },
    })
    expect(aboutCall({}, { id: 'somebody' })).toEqual({ 'body.id': 'somebody' })
  })

  it('names the person whom the answer is about, and what it was made of beside what the call has named', () => {
    const principal = { type: 'user', id: 'u1', name: 'zoe', email: 'zoe@example.org' }
    expect(aboutAnswer({ id: 'e1', principal }, { id: 's1' })).toEqual({
      ...{ 'answer.id': 'e1', 'principal.type': 'user', 'principal.id': 'u1', 'principal.name': 'zoe' },
    })
  })

  it('is completed by what the answer says was made', () => {
    const about = aboutAnswer({ id: 's1', displayName: 'Harbour', secret: 'hunter2', apps: [] }, {})
    expect(about).toEqual({ id: 's1', displayName: 'Harbour' })
    expect(nameIn(about)).toBe('Harbour')
  })
})

it('no address of a call has a secret in it', () => {
  const names = guardedCalls.flatMap(({ endpoint }) => endpoint.path.match(/:\w+/g) ?? [])
  expect(names.filter((name) => /secret|token|password|code|key/i.test(name))).toEqual([])
})

it('calls that show secrets of releases are in the log, although they change nothing', () => {
  const showing = guardedCalls.filter(
    ({ policy }) => policy.kind === 'scope' && policy.sometimesScopes?.includes('app.secrets'),
  )
  expect(showing.length).toBeGreaterThan(2)
  expect(showing.filter(({ address }) => !auditedCalls.has(address))).toEqual([])
})
