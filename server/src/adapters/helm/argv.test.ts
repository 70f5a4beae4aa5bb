import { describe, expect, it } from 'vitest'
import { installArgv, rollbackArgv, templateArgv, uninstallArgv, upgradeArgv } from './argv.ts'

const target = { kubeconfig: '', clusterId: 'c1', releaseName: 'shop', namespace: 'team-abc1234', timeoutSeconds: 60 }
const write = { ...target, chartFile: '/data/packages/x.tgz', values: '', labels: { portalAction: 'a1' } }
const files = { values: '/run/values.yaml' }

describe('the argv of Helm', () => {
  it('puts what people named behind --', () => {
    const argv = installArgv(write, files)
    expect(argv.slice(argv.indexOf('--'))).toEqual(['--', 'shop', '/data/packages/x.tgz'])
    expect(argv).toContain('portalAction=a1')
    expect(upgradeArgv(write, files)).toContain('--reset-values')
    for (const argv of [upgradeArgv(write, files), rollbackArgv({ ...target, revision: 3 })])
      expect(argv).toContain('--force-conflicts')
    expect(installArgv(write, files)).not.toContain('--force-conflicts')
    expect(uninstallArgv(target).at(-1)).toBe('shop')
    expect(uninstallArgv(target)).not.toContain('--no-hooks')
    expect(uninstallArgv({ ...target, withoutHooks: true })).toContain('--no-hooks')
    expect(rollbackArgv({ ...target, revision: 3 }).slice(-2)).toEqual(['shop', '3'])
  })

  it.each([
    ['a flag as release name', { releaseName: '--kubeconfig=/etc/passwd' }],
    ['a release name of 54 characters', { releaseName: 'a'.repeat(54) }],
    ['a release name with a line break', { releaseName: 'a\n' }],
    ['upper case', { releaseName: 'Shop' }],
    ['a flag as namespace', { namespace: '-n' }],
    ['a namespace with a slash', { namespace: 'a/b' }],
    ['a chart from the network', { chartFile: 'https://example.com/x.tgz' }],
    ['an OCI chart', { chartFile: 'oci://example.com/x' }],
    ['a chart directory', { chartFile: '/data/charts/x' }],
    ['a label that adds another', { labels: { a: 'b,c=d' } }],
    ['a timeout that is no number', { timeoutSeconds: Number.NaN }],
    ['a timeout of a week', { timeoutSeconds: 604_800 }],
  ])('refuses %s', (_, wrong) => {
    expect(() => installArgv({ ...write, ...wrong }, files)).toThrow(/not (valid|a number)/)
  })

  it('refuses a revision that is not a whole number', () => {
    expect(() => rollbackArgv({ ...target, revision: 1.5 })).toThrow(/revision/)
    expect(() => rollbackArgv({ ...target, revision: 0 })).toThrow(/revision/)
  })

  it('never renders with a cluster, and checks the versions it tells', () => {
    const input = { chartFile: '/x.tgz', values: '', releaseName: 'a', namespace: 'b' }
    expect(templateArgv(input, files)).toContain('--dry-run=client')
    expect(templateArgv({ ...input, kubeVersion: 'v1.35.0', apiVersions: ['apps/v1'] }, files)).toContain('apps/v1')
    expect(() => templateArgv({ ...input, kubeVersion: '--debug' }, files)).toThrow(/Kubernetes version/)
    expect(() => templateArgv({ ...input, apiVersions: ['-x'] }, files)).toThrow(/API version/)
  })
})
