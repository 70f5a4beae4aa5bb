import { describe, expect, it } from 'vitest'
import { newestFirst, newestOf } from './newest-first.ts'

const of = (...versions: string[]) => versions.map((version) => ({ version }))

describe('versions', () => {
  it('are ordered as semantic versions, written with or without a v', () => {
    const sorted = newestFirst(of('1.9.0', 'v1.10.0', '1.10.0-rc.1', '2.0', '1.2.3+b2', '1.2.3+b1'))
    expect(sorted.map(({ version }) => version)).toEqual([
      '2.0',
      'v1.10.0',
      '1.10.0-rc.1',
      '1.9.0',
      '1.2.3+b2',
      '1.2.3+b1',
    ])
  })

  it('are shown by the newest that is finished, or else the newest', () => {
    expect(newestOf(of('1.0.0', '2.0.0-beta'))?.version).toBe('1.0.0')
    expect(newestOf(of('2.0.0-alpha', '2.0.0-beta'))?.version).toBe('2.0.0-beta')
    expect(newestOf([])).toBeUndefined()
  })
})
