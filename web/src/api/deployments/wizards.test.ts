import { expect, it } from 'vitest'
import { intoSpace, staleAfter } from './wizards.tsx'

const install = { kind: 'install', versionId: 'v' } as const

it('presets the space that the address carries, for installs that name none', () => {
  expect(intoSpace(install, '?space=8kx2m4a')).toEqual({ ...install, spaceId: '8kx2m4a' })
  expect(intoSpace({ ...install, spaceId: 'own' }, '?space=8kx2m4a')).toEqual({ ...install, spaceId: 'own' })
  expect(intoSpace(install, '?q=x')).toBe(install)
  expect(intoSpace({ kind: 'delete', appId: 'a' }, '?space=8kx2m4a')).toEqual({ kind: 'delete', appId: 'a' })
})

it('reads the apps again after a close, those of the space that is looked at, and all lists after a success', () => {
  const failed = { success: false, type: 'Deploy' } as const
  expect(staleAfter(undefined, '/en/apps')).toEqual([['apps']])
  expect(staleAfter(failed, '/en/spaces/8kx2m4a/overview')).toEqual([['apps'], ['spaces', 'one', '8kx2m4a']])
  expect(staleAfter({ ...failed, success: true }, '/en/home')).toContainEqual(['spaces'])
})
