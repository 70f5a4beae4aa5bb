import { inPlace, signedIn } from '@quayside/contract/http/policy'
import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { fail } from '../http/errors.ts'
import type { Actor } from './actor.ts'
import { noParty, offerTicket, partyScopes, Ticketed, withParty } from './party.ts'
import { forbidden, type Rights } from './rights.ts'

describe('permissions of a token', () => {
  it('count by the id and by the name of the resource, and only scopes that there are', () => {
    const found = partyScopes([
      { rsid: 'r1', rsname: 's1', scopes: ['space.edit', 'everything'] },
      { rsid: 's1', scopes: ['app.view'] },
      { scopes: ['app.view'] },
    ])
    expect([...found].map(([id, held]) => [id, [...held]])).toEqual([
      ['r1', ['space.edit']],
      ['s1', ['space.edit', 'app.view']],
    ])
  })
})

describe('a ticket', () => {
  const actor = { userId: 'u1' } as Actor
  const party = { ...noParty, ticketFor: async (_: Actor, spaceId: string, scope: string) => `${spaceId} ${scope}` }
  const rights = {
    find: async (_: unknown, kind: string, id: string) =>
      id === 'hidden' ? undefined : { spaceId: `space of ${kind} ${id}`, scopes: new Set() },
  } as unknown as Rights
  const policy = inPlace('app', 'params.id', 'app.manage')
  const offer = (error: unknown, more: object = {}) =>
    offerTicket(error, {
      ...{ party, rights, policy, actor, asked: { params: { id: 'a1' }, query: {}, body: {} } },
      request: { headers: {} } as FastifyRequest,
      ...more,
    })
  const refusal = () => forbidden([{ scope: 'app.manage' }])

  it('comes with a refusal for a scope, for the space of the thing', async () => {
    const offered = await offer(refusal())
    expect(offered).toBeInstanceOf(Ticketed)
    expect(offered).toMatchObject({ ticket: 'space of app a1 app.manage', refusal: { code: 'auth.forbidden' } })
  })

  it.each<[string, unknown, object]>([
    ['another failure', fail('app.not-found'), {}],
    ['a refusal for a role', forbidden([{ section: 'apps', role: 'apps.create' }]), {}],
    ['a call that names no place', refusal(), { policy: signedIn }],
    ['a thing that the caller cannot see', refusal(), { asked: { params: { id: 'hidden' }, query: {}, body: {} } }],
    ['a call that has brought a permission', refusal(), { request: { headers: { 'x-qc-rpt': 'Bearer x' } } }],
    ['an identity server that gives none', refusal(), { party: noParty }],
  ])('does not come with %s', async (_, error, more) => expect(await offer(error, more)).toBe(error))

  it('traded for a permission adds to the scopes of that call alone', async () => {
    const granted = new Map([['s1', new Set(['space.edit' as const])]])
    const request = { actor, headers: { 'x-qc-rpt': 'Bearer x' } } as unknown as FastifyRequest
    expect(await withParty({ ...noParty, scopesOf: async () => granted }, request)).toEqual({
      ...actor,
      partyScopes: granted,
    })
    expect(actor).not.toHaveProperty('partyScopes')
  })
})
