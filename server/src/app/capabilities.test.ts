import { placeRules, capabilities as promised, topicRules } from '@quayside/contract/capabilities'
import { expect, it } from 'vitest'
import { capabilities, migrations, places, topics } from './capabilities.ts'

it('every capability of the contract is there once', () => {
  const names = (list: readonly { name: string }[]) => list.map(({ name }) => name).sort()
  const serving = capabilities.filter((one) => 'routes' in one)
  expect(names(serving)).toEqual(names(promised))
})

it('every topic of the contract has its rules, and there is no other', () => {
  expect(topics).toEqual(topicRules)
})

it('things of every kind are found', () => {
  expect(Object.keys(places).sort()).toEqual(Object.keys(placeRules).sort())
})

it('every migration has a name of its own', () => {
  const names = migrations.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
