import { scopes } from '@quayside/contract/permissions/scopes'
import { describe, expect, it } from 'vitest'
import { holdingOf, isLastOwner, refusalOfChange, refusalOfGrant, type TimedGrant } from './grant-rules.ts'

const soon = new Date(Date.now() + 3_600_000)
const later = new Date(Date.now() + 7_200_000)
const grant = (role: string, more: Partial<TimedGrant> = {}): TimedGrant => ({
  role,
  scopes: null,
  owner: false,
  expiresAt: null,
  ...more,
})
const nobody = holdingOf(new Set(), [])
const manager = holdingOf(new Set(), [grant('manager')])
const owner = holdingOf(new Set(), [grant('manager', { owner: true })])
const platform = holdingOf(new Set(scopes), [])
const elevated = grant('own', { scopes: ['space.view', 'app.view', 'space.deploy', 'space.deploy.elevated'] })

describe('what somebody may give', () => {
  it('is no more than they hold', () => {
    expect(refusalOfGrant(manager, grant('deployer'))).toBeUndefined()
    expect(refusalOfGrant(manager, grant('manager'))).toBeUndefined()
    expect(refusalOfGrant(manager, elevated)).toEqual({ why: 'scope', scope: 'space.deploy.elevated' })
    expect(refusalOfGrant(platform, elevated)).toBeUndefined()
    expect(refusalOfGrant(nobody, grant('viewer'))).toMatchObject({ why: 'scope' })
    expect(refusalOfGrant(holdingOf(new Set(), [grant('deployer')]), grant('manager'))).toMatchObject({ why: 'scope' })
  })

  it('lasts no longer than they hold it themselves', () => {
    const forAnHour = holdingOf(new Set(), [grant('manager', { expiresAt: soon })])
    expect(refusalOfGrant(forAnHour, grant('manager', { expiresAt: soon }))).toBeUndefined()
    expect(refusalOfGrant(forAnHour, grant('manager'))).toEqual({ why: 'longer', until: soon })
    expect(refusalOfGrant(forAnHour, grant('viewer', { expiresAt: later }))).toEqual({ why: 'longer', until: soon })
    const alsoViewer = holdingOf(new Set(), [grant('manager', { expiresAt: soon }), grant('viewer')])
    expect(refusalOfGrant(alsoViewer, grant('viewer'))).toBeUndefined()
  })

  it('is ownership only for owners and for who manages all spaces', () => {
    expect(refusalOfGrant(manager, grant('viewer', { owner: true }))).toEqual({ why: 'owner' })
    expect(refusalOfGrant(owner, grant('manager', { owner: true }))).toBeUndefined()
    const keeper = holdingOf(new Set(['space.view', 'space.edit', 'space.members', 'space.delete']), [])
    expect(refusalOfGrant(keeper, grant('manager', { owner: true }))).toMatchObject({ why: 'scope' })
    const ownerForAnHour = holdingOf(new Set(), [grant('manager', { owner: true, expiresAt: soon }), grant('manager')])
    expect(refusalOfGrant(ownerForAnHour, grant('manager', { owner: true }))).toEqual({ why: 'longer', until: soon })
  })

  it('is nothing of a role that is not known', () => {
    expect(refusalOfGrant(nobody, grant('constructor'))).toBeUndefined()
    expect(holdingOf(new Set(), [grant('constructor')]).until.size).toBe(0)
  })
})

describe('whose entry somebody may change', () => {
  it('is no owner, and nobody with more than they hold, unless they own the space', () => {
    expect(refusalOfChange(manager, grant('manager'))).toBeUndefined()
    expect(refusalOfChange(manager, grant('viewer', { owner: true }))).toEqual({ why: 'owner' })
    expect(refusalOfChange(manager, elevated)).toEqual({ why: 'scope', scope: 'space.deploy.elevated' })
    expect(refusalOfChange(owner, elevated)).toBeUndefined()
    expect(refusalOfChange(owner, grant('viewer', { owner: true }))).toBeUndefined()
  })
})

describe('the last owner', () => {
  const entries = [
    { id: 'a', principal: 'user:a', owner: true, expiresAt: null },
    { id: 'b', principal: 'user:b', owner: true, expiresAt: soon },
    { id: 'c', principal: 'user:c', owner: false, expiresAt: null },
  ]
  const all = new Set(['user:a', 'user:b', 'user:c', 'group:d'])

  it('can neither go nor become something else, nor get an end', () => {
    expect(isLastOwner(entries, 'a', all)).toBe(true)
    expect(isLastOwner(entries, 'a', all, { owner: false, expiresAt: null })).toBe(true)
    expect(isLastOwner(entries, 'a', all, { owner: true, expiresAt: soon })).toBe(true)
    expect(isLastOwner(entries, 'a', all, { owner: true, expiresAt: null })).toBe(false)
    expect(isLastOwner(entries, 'b', all)).toBe(false)
    expect(isLastOwner(entries, 'c', all)).toBe(false)
  })

  it('is none where another one lasts', () => {
    const more = [...entries, { id: 'd', principal: 'group:d', owner: true, expiresAt: null }]
    expect(isLastOwner(more, 'a', all)).toBe(false)
  })

  it('is one where the others are nobody', () => {
    const more = [...entries, { id: 'd', principal: 'group:d', owner: true, expiresAt: null }]
    expect(isLastOwner(more, 'a', new Set())).toBe(true)
  })
})
