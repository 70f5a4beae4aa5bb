import { expect, it } from 'vitest'
import { child } from '../../testing/samples.ts'
import { descriptionsOf } from './assign-app.ts'

const described = (version: object, item: object = {}) =>
  descriptionsOf({ item: { ...child.item, ...item }, version: { ...child.version, ...version } }, ' Harbour ')

it('describes an app as its version does, trimmed', () => {
  expect(described({ shortDescription: ' Ships ', description: ' All of the ships\n' })).toEqual({
    shortDescription: 'Ships',
    description: 'All of the ships',
  })
})

it('leaves no description empty', () => {
  const none = { shortDescription: ' ', description: '' }
  expect(described(none, { shortDescription: 'Of the item', description: 'All of the item' })).toEqual({
    shortDescription: 'Of the item',
    description: 'All of the item',
  })
  expect(described({ ...none, description: 'x'.repeat(300) }, none)).toEqual({
    shortDescription: 'x'.repeat(200),
    description: 'x'.repeat(300),
  })
  expect(described(none, none)).toEqual({ shortDescription: 'Harbour', description: 'Harbour' })
})
