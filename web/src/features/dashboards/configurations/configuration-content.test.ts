import type { Configuration } from '@quayside/contract/dashboards/library'
import { expect, it } from 'vitest'
import { isEdited } from './configuration-content.ts'

const configuration = (kind: Configuration['kind'], value: Configuration['value']): Configuration => ({
  ...{ id: 'c1', name: 'Team', kind, value, spaceId: null, revision: 1 },
  ...{ updatedAt: '2026-01-01T00:00:00.000Z', updatedBy: 'mara' },
})

it.each<[boolean, Configuration['kind'], Configuration['value']]>([
  [true, 'variables', { team: 'shop', empty: '' }],
  [false, 'variables', { note: 'first line\nsecond = line' }],
  [false, 'variables', { padded: ' shop ' }],
  [true, 'links', [{ name: 'Wiki', url: 'https://wiki.example.org' }]],
  [true, 'links', [{ url: 'https://wiki.example.org', name: 'Fields in another order' }]],
  [false, 'links', [{ name: 'Two\nlines', url: 'https://wiki.example.org' }]],
  [false, 'datasource', { clusterId: 'c1' }],
])('as lines: %s, %s with %o', (expected, kind, value) => expect(isEdited(configuration(kind, value))).toBe(expected))
