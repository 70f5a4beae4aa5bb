import { describe, expect, test } from 'vitest'
import type { LeftObject } from '../ports.ts'
import { fateOf, refusalOf } from './leftover-plan.ts'

const may = { namespace: 'shop', clusterAllows: false, managesClusters: true }
const left = (kind: string, name: string, namespace: string | null, refusal: string | null = null): LeftObject => ({
  apiVersion: 'v1',
  uid: `uid of ${name}`,
  why: '',
  detail: null,
  ...{ kind, name, namespace, refusal },
})
const claim = left('PersistentVolumeClaim', 'data-0', 'shop')
const definition = left('CustomResourceDefinition', 'ships.example.org', null)

describe('what becomes of leftovers', () => {
  test('objects stay, access and pins go when nothing is said', () => {
    expect(fateOf([claim, definition], [], may)).toEqual({
      plan: {
        remove: [],
        keep: [claim, definition],
        keepAccess: { grants: false, redirectUris: false },
        keepPins: false,
      },
    })
  })

  test('what a lost release has left running goes, unless it is kept or must not be touched', () => {
    const orphan: LeftObject = { ...left('Deployment', 'web', 'shop'), goes: true }
    const elsewhere: LeftObject = { ...left('Service', 'web', 'other'), goes: true }
    expect(fateOf([orphan, elsewhere], [], may)).toMatchObject({ plan: { remove: [orphan], keep: [elsewhere] } })
    const choices = [{ id: 'Deployment/shop/web', choice: 'keep' }] as const
    expect(fateOf([orphan], choices, may)).toMatchObject({ plan: { remove: [], keep: [orphan] } })
  })

  test('each choice counts', () => {
    const choices = [
      { id: 'PersistentVolumeClaim/shop/data-0', choice: 'remove' },
      { id: 'redirect-uris', choice: 'keep' },
      { id: 'pins', choice: 'keep' },
    ] as const
    expect(fateOf([claim, definition], choices, may)).toEqual({
      plan: { remove: [claim], keep: [definition], keepAccess: { grants: false, redirectUris: true }, keepPins: true },
    })
  })

  test('what is not there, and what may not be removed, is refused by the field', () => {
    const gone = [{ id: 'Secret/shop/other', choice: 'remove' }] as const
    expect(fateOf([claim], gone, may)).toMatchObject({ field: 'leftovers.0.id', unknown: expect.any(String) })
    const wide = [{ id: 'CustomResourceDefinition//ships.example.org', choice: 'remove' }] as const
    expect(fateOf([definition], wide, may)).toMatchObject({ field: 'leftovers.0.id', stays: expect.any(String) })
    expect(fateOf([definition], wide, { ...may, clusterAllows: true })).toHaveProperty('plan')
  })

  test('outside of the space it takes a cluster that allows it and a person who manages clusters', () => {
    const open = { ...may, clusterAllows: true }
    expect(refusalOf(claim, may)).toBeNull()
    expect(refusalOf(left('Secret', 's', 'elsewhere'), may)).toContain('their own space only')
    expect(refusalOf(definition, { ...open, managesClusters: false })).toContain('edit clusters')
    expect(refusalOf(definition, open)).toBeNull()
    expect(refusalOf({ ...definition, refusal: 'in use' }, open)).toBe('in use')
  })
})
