import { expect, test } from 'vitest'
import { bundledPackages, type Lockfile, productionPackages } from './production-packages.ts'

const lock: Lockfile = {
  packages: {
    server: {
      dependencies: { fastify: '5', '@quayside/contract': '*' },
      optionalDependencies: { absent: '1' },
      devDependencies: { vitest: '5' },
    },
    contract: { dependencies: { zod: '4' } },
    web: { devDependencies: { react: '19', vite: '8' } },
    'node_modules/@quayside/contract': { link: true, resolved: 'contract' },
    'node_modules/fastify': { version: '5.0.0', license: 'MIT', dependencies: { semver: '7', '@types/node': '24' } },
    'node_modules/fastify/node_modules/semver': { version: '7.0.0' },
    'node_modules/semver': { version: '6.0.0', dependencies: { fastify: '5' } },
    'node_modules/zod': { version: '4.0.0', dependencies: { semver: '6' } },
    'node_modules/@types/node': { version: '24.0.0' },
    'node_modules/vitest': { version: '5.0.0' },
    'node_modules/vite': { version: '8.0.0' },
    'node_modules/react': { version: '19.0.0' },
  },
}

test('a workspace takes along what it runs with, from where Node finds it, and nothing for development', () => {
  const packages = productionPackages(lock, 'server', (name) => name.startsWith('@types/'))
  expect(packages.map(({ path, version }) => [path, version])).toEqual([
    ['node_modules/fastify', '5.0.0'],
    ['node_modules/fastify/node_modules/semver', '7.0.0'],
    ['node_modules/semver', '6.0.0'],
    ['node_modules/zod', '4.0.0'],
  ])
})

test('pages are made of what they declare, without the tools', () => {
  expect(bundledPackages(lock, 'web', (name) => name === 'vite').map(({ name }) => name)).toEqual(['react'])
})
