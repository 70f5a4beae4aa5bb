import { beforeEach, expect, it } from 'vitest'
import { isOwnPath, saveRoute, takeSavedRoute } from './saved-route.ts'

beforeEach(() => sessionStorage.clear())

it('gives the saved route back exactly once', () => {
  saveRoute('/apps/4f2a?tab=values')
  expect(takeSavedRoute()).toBe('/apps/4f2a?tab=values')
  expect(takeSavedRoute()).toBeUndefined()
})

it.each(['//elsewhere.example', '/\\elsewhere.example', 'https://elsewhere.example', ''])('refuses %j', (path) => {
  expect(isOwnPath(path)).toBe(false)
  saveRoute(path)
  expect(takeSavedRoute()).toBeUndefined()
})
