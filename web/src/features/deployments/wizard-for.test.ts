import { describe, expect, it } from 'vitest'
import { wizardFor } from './wizard-for.ts'

describe('which wizard opens', () => {
  it.each([
    ['Flow', 'Containerized', 'A-with-access', 'B', 'C', 'D'],
    ['App', 'Containerized', 'A', 'B', 'C', 'D'],
    ['App', 'SaaS', 'A-with-access', 'B', 'C', 'D'],
  ])('%s %s', (item, type, install, upgrade, rollback, remove) => {
    expect(wizardFor(item, type, 'Install')).toBe(install)
    expect(wizardFor(item, type, 'Upgrade')).toBe(upgrade)
    expect(wizardFor(item, type, 'Rollback')).toBe(rollback)
    expect(wizardFor(item, type, 'Delete')).toBe(remove)
  })

  it('gives Legacy and Serverless apps their own', () => {
    expect(wizardFor('App', 'Legacy', 'Upgrade')).toBe('F')
    expect(wizardFor('App', 'Serverless', 'Install')).toBe('E')
    expect(wizardFor('App', 'Serverless', 'Delete')).toBe('generic-delete')
    expect(() => wizardFor('App', 'Legacy', 'Rollback')).toThrow('Wrong action type')
  })

  it('says what is unsupported', () => {
    expect(() => wizardFor('Solution', '', 'Install')).toThrow('SolutionActionComponent not implemented yet!')
    expect(() => wizardFor('Thing', '', 'Install')).toThrow("Unsupported CatalogItemType 'Thing'")
    expect(() => wizardFor('App', 'Odd', 'Install')).toThrow("Unsupported AppType 'Odd'")
    expect(() => wizardFor('App', 'SaaS', 'Fly' as 'Install')).toThrow("Unsupported DeployActionType 'Fly'")
  })
})
