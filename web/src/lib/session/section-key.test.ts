import { expect, it } from 'vitest'
import { sectionKey } from './section-key.ts'

const known = new Set(['apps', 'catalog-apps'])

it.each([
  ['/apps/4f2a?tab=values', 'apps'],
  ['/catalog/apps/1', 'catalog-apps'],
  ['/catalog', 'main'],
  ['/catalog/nodes', 'main'],
  ['/', 'main'],
  ['/spaces', 'main'],
])('%s belongs to %s', (path, key) => {
  expect(sectionKey(path, known)).toBe(key)
})
