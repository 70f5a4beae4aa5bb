import { mostConfigurations, mostEntryBytes } from '@quayside/contract/dashboards/rules'
import { expect, it } from 'vitest'
import { mustBeWithinLimits } from './entry-limits.ts'

const full = { count: mostConfigurations, bytes: mostEntryBytes }
const change = (before: Partial<typeof full>, after: Partial<typeof full>) => () =>
  mustBeWithinLimits('dashboard_configurations', { ...full, ...before }, { ...full, ...after })

it('entries may be as many and as long as the limits say, and no more', () => {
  expect(change({ count: 1, bytes: 1 }, {})).not.toThrow()
  expect(change({}, { count: full.count + 1 })).toThrow('This list is full')
  expect(change({}, { bytes: full.bytes + 1 })).toThrow('This list is full')
})

it('a list beyond its limits, which were higher once, may become shorter', () => {
  const over = { count: full.count + 9, bytes: full.bytes + 9 }
  expect(change(over, { ...over, bytes: over.bytes - 1 })).not.toThrow()
  expect(change(over, { count: over.count - 1, bytes: over.bytes - 1 })).not.toThrow()
  expect(change(over, { ...over, bytes: over.bytes + 1 })).toThrow('This list is full')
})
