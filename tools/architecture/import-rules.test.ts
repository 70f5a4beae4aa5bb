import { describe, expect, it } from 'vitest'
import { cycles, rules, violationsOf } from './import-rules.ts'
import { parseModule } from './module-syntax.ts'
import { importsOf } from './read-imports.ts'

const broken = (from: string, to: string, typeOnly = false) =>
  violationsOf({ from, to, typeOnly }).map(({ name }) => name)

/** One import that breaks each rule. */
const offences: Record<string, [string, string]> = {
  'values-is-a-library': ['values/src/a.ts', 'contract/src/b.ts'],
  'contract-takes-types-of-values': ['contract/src/a.ts', 'values/src/b.ts'],
  'contract-is-a-promise': ['contract/src/a.ts', 'server/src/platform/b.ts'],
  'contract-runs-anywhere': ['contract/src/a.ts', 'node:fs'],
  'web-knows-only-the-contract': ['web/src/lib/a.ts', 'server/src/platform/b.ts'],
  'features-stand-alone': ['web/src/features/apps/a.tsx', 'web/src/features/spaces/b.tsx'],
  'features-do-not-reach-up': ['web/src/features/apps/a.tsx', 'web/src/app/router.tsx'],
  'api-knows-no-feature': ['web/src/api/apps.ts', 'web/src/features/apps/b.ts'],
  'calls-stand-in-api': ['web/src/features/apps/a.ts', 'web/src/api/client.ts'],
  'ui-draws': ['web/src/ui/a.tsx', 'contract/src/catalog/endpoints.ts'],
  'system-tests-read-no-tables': ['system-tests/outages/a.ts', 'pg'],
  'lib-knows-the-protocol-alone': ['web/src/lib/a.ts', 'contract/src/catalog/endpoints.ts'],
  'ui-and-lib-know-no-domain': ['web/src/ui/a.tsx', 'web/src/features/apps/b.tsx'],
  'server-never-imports-embedded': ['server/src/app.ts', 'embedded/src/world.ts'],
  'embedded-knows-at-most-the-contract': ['embedded/src/world.ts', 'server/src/app.ts'],
  'embedded-packages-stand-alone': ['embedded/identity/src/identity.ts', 'contract/src/http/path.ts'],
  'platform-knows-no-service': ['server/src/platform/a.ts', 'server/src/services/catalog/index.ts'],
  'adapters-know-only-the-platform': ['server/src/adapters/helm/a.ts', 'server/src/services/catalog/index.ts'],
  'services-meet-as-arguments': ['server/src/services/users/a.ts', 'server/src/services/catalog/index.ts'],
  'services-do-not-reach-up': ['server/src/services/users/a.ts', 'server/src/app.ts'],
  'drivers-use-public-doors': ['e2e/src/a.ts', 'server/src/app.ts'],
  'nothing-needs-deploy': ['embedded/src/world.ts', 'deploy/image/layer.ts'],
  'no-drawers': ['server/src/app.ts', 'server/src/platform/utils/b.ts'],
}

describe('the import rules', () => {
  it.each(rules.map(({ name }) => name))('%s is broken by its example', (name) => {
    expect(broken(...(offences[name] ?? ['', '']))).toContain(name)
  })

  it('lets pass what the architecture allows', () => {
    expect(broken('web/src/features/apps/a.tsx', 'web/src/features/apps/overview/b.tsx')).toEqual([])
    expect(broken('server/src/services/users/a.ts', 'server/src/services/catalog/index.ts', true)).toEqual([])
    expect(broken('server/src/services/clients/clients.http.test.ts', 'embedded/src/world.ts')).toEqual([])
    expect(broken('web/src/features/apps/a.tsx', 'web/src/api/apps.ts')).toEqual([])
    expect(broken('web/src/lib/portal.tsx', 'contract/src/live/live.ts')).toEqual([])
    expect(broken('web/src/app/router.tsx', 'web/src/features/apps/apps-page.tsx')).toEqual([])
  })

  it('finds rings, but not rings of types', () => {
    const ring = (typeOnly: boolean) => [
      { from: 'a', to: 'b', typeOnly: false },
      { from: 'b', to: 'a', typeOnly },
    ]
    expect(cycles(ring(false))).toEqual([['a', 'b', 'a']])
    expect(cycles(ring(true))).toEqual([])
  })

  it('reads imports, exports and dynamic imports, and tells types apart', () => {
    const text = `
      import { a } from './a.ts'
      import type { B } from './b.ts'
      import { type C } from './c.ts'
      export { d } from './d.ts'
      const page = () => import('./e.tsx')
      const view = <div>import './not-one.ts'</div>`
    expect(importsOf(parseModule('x.tsx', text))).toEqual([
      { specifier: './a.ts', typeOnly: false },
      { specifier: './b.ts', typeOnly: true },
      { specifier: './c.ts', typeOnly: true },
      { specifier: './d.ts', typeOnly: false },
      { specifier: './e.tsx', typeOnly: false },
    ])
  })
})
