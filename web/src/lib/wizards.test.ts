import { expect, it } from 'vitest'
import { intoSpace } from './wizards.tsx'

const install = { kind: 'install', versionId: 'v' } as const

it('presets the space that the address carries, for installs that name none', () => {
  expect(intoSpace(install, '?space=8kx2m4a')).toEqual({ ...install, spaceId: '8kx2m4a' })
  expect(intoSpace({ ...install, spaceId: 'own' }, '?space=8kx2m4a')).toEqual({ ...install, spaceId: 'own' })
  expect(intoSpace(install, '?q=x')).toBe(install)
  expect(intoSpace({ kind: 'delete', appId: 'a' }, '?space=8kx2m4a')).toEqual({ kind: 'delete', appId: 'a' })
})
