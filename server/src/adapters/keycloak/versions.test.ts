import { describe, expect, test } from 'vitest'
import { versionProblem } from './versions.ts'

describe('versions of Keycloak', () => {
  test.each(['26.7.2', '26.7.4', '26.6.6', '26.4.15', '26.8.0', '27.0.0'])('%s may be used', (version) => {
    expect(versionProblem(version)).toBeUndefined()
  })
  test.each(['26.7.1', '26.6.5', '26.5.9', '26.4.14', '26.0.0', '25.0.6', '999', ''])('%s may not', (version) => {
    expect(versionProblem(version)).toContain('Keycloak')
  })
})
