import { expect, it } from 'vitest'
import { literalPaths } from './literal-paths.ts'
import { parseModule } from './module-syntax.ts'

it('finds paths of calls in texts and templates, and leaves pages and other words alone', () => {
  const text = `
    import { x } from '../catalog/v2.ts'
    const get = () => api.get('/catalog/v2/items')
    const one = (id: string) => \`/cluster/v1/clusters/\${id}\`
    const socket = { path: "/deployment/socket.io" }
    const page = <a href="/catalog/apps">/iam/v2/users in a sentence</a>
    const base = \`\${root}/portal-api/v2/apps\``
  expect(literalPaths(parseModule('x.tsx', text))).toEqual([
    '/catalog/v2/items',
    '/cluster/v1/clusters/',
    '/deployment/socket.io',
    '/portal-api/v2/apps',
  ])
})
