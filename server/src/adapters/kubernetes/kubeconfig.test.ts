import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { Failure } from '../../platform/http/errors.ts'
import { readKubeconfig, writeKubeconfig, writeKubeconfigs } from './kubeconfig.ts'
import { certificate, key } from './testing/stub-cluster.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')
const ca = base64(certificate)
const clientKey = base64(key)

type Fields = Record<string, unknown>
function config(change: { root?: Fields; cluster?: Fields; user?: Fields; context?: Fields } = {}): string {
  const server = 'https://k8s.example.com:6443'
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    preferences: {},
    clusters: [{ name: 'c', cluster: { server, 'certificate-authority-data': ca, ...change.cluster } }],
    users: [{ name: 'u', user: { token: 'abc.def', ...change.user } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u', ...change.context } }],
    'current-context': 'x',
    ...change.root,
  })
}
const entry = (name: string, cluster = 'c', user = 'u') => ({ name, context: { cluster, user } })

describe('a kubeconfig', () => {
  it('with a token is read and rebuilt with nothing else in it', () => {
    const access = readKubeconfig(config({ context: { namespace: 'team' } }))
    expect(access).toEqual({
      name: 'x',
      server: 'https://k8s.example.com:6443',
      certificateAuthority: expect.stringContaining('BEGIN CERTIFICATE'),
      token: 'abc.def',
      namespace: 'team',
    })
    expect(readKubeconfig(writeKubeconfig(access))).toEqual(access)
  })

  it('with a client certificate is read', () => {
    const user = { token: undefined, 'client-certificate-data': ca, 'client-key-data': clientKey }
    const access = readKubeconfig(config({ user, cluster: { 'tls-server-name': 'kubernetes.default' } }))
    expect(access).toMatchObject({ tlsServerName: 'kubernetes.default', clientKey: expect.stringContaining('PRIVATE') })
    expect(readKubeconfig(writeKubeconfig(access))).toEqual(access)
  })

  it('for several places has a context for each, with its own server, token and namespace', () => {
    const accesses = ['shop', 'meter'].map((name) => ({
      ...{ name, server: `https://${name}.example.com`, token: `token-of-${name}`, namespace: name },
    }))
    const text = writeKubeconfigs(accesses)
    expect(accesses.map(({ name }) => readKubeconfig(text, name))).toEqual(accesses)
    expect(readKubeconfig(text)).toEqual(accesses[0])
  })

  it('keeps texts that look like something else', () => {
    const access = { name: 'y', server: 'https://k8s.example.com', token: '0123', namespace: 'no' }
    expect(readKubeconfig(writeKubeconfig(access))).toEqual(access)
  })

  it('with several contexts gives the one that is named, else the current one, and looks at no other', () => {
    const contexts = [entry('x'), entry('second', 'c', 'v'), entry('evil', 'c', 'w')]
    const users = [
      { name: 'u', user: { token: 'one' } },
      { name: 'v', user: { token: 'two' } },
      { name: 'w', user: { exec: { command: 'sh' } } },
    ]
    const text = config({ root: { contexts, users } })
    expect(readKubeconfig(text).token).toBe('one')
    expect(readKubeconfig(text, 'second').token).toBe('two')
    expect(() => readKubeconfig(text, 'evil')).toThrow('user.exec')
    expect(readKubeconfig(config({ root: { 'current-context': undefined } })).name).toBe('x')
  })
})

const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: '/bin/sh', args: ['-c', 'id'] }
const hostile: [string, string, string][] = [
  // Programs and files
  ['user.exec', 'user.exec', config({ user: { exec } })],
  ['exec instead of a token', 'user.exec', config({ user: { token: undefined, exec } })],
  ['auth-provider', 'user.auth-provider', config({ user: { 'auth-provider': { name: 'gcp' } } })],
  [
    'auth provider with a command',
    'user.auth-provider',
    config({ user: { 'auth-provider': { config: { 'cmd-path': '/bin/sh' } } } }),
  ],
  ['tokenFile', 'user.tokenFile', config({ user: { tokenFile: '/etc/hostname' } })],
  ['token-file', 'user.token-file', config({ user: { 'token-file': '/etc/hostname' } })],
  ['client-certificate', 'user.client-certificate', config({ user: { 'client-certificate': '/etc/passwd' } })],
  ['client-key', 'user.client-key', config({ user: { 'client-key': '/etc/shadow' } })],
  [
    'certificate-authority',
    'cluster.certificate-authority',
    config({ cluster: { 'certificate-authority': '/etc/passwd' } }),
  ],
  ['a relative file', 'user.client-key', config({ user: { 'client-key': '../key.pem' } })],
  // Other identities
  ['username', 'user.username', config({ user: { username: 'root' } })],
  ['password', 'user.password', config({ user: { password: 'x' } })],
  ['as', 'user.as', config({ user: { as: 'system:admin' } })],
  ['as-uid', 'user.as-uid', config({ user: { 'as-uid': '0' } })],
  ['as-groups', 'user.as-groups', config({ user: { 'as-groups': ['system:masters'] } })],
  ['as-user-extra', 'user.as-user-extra', config({ user: { 'as-user-extra': {} } })],
  ['impersonate', 'user.impersonate', config({ user: { impersonate: 'x' } })],
  ['extensions of the user', 'user.extensions', config({ user: { extensions: [] } })],
  ['an upper-case Token', 'user.Token', config({ user: { Token: 'x' } })],
  // Ways around TLS and the network
  [
    'insecure-skip-tls-verify',
    'cluster.insecure-skip-tls-verify',
    config({ cluster: { 'insecure-skip-tls-verify': true } }),
  ],
  [
    'insecure-skip-tls-verify set to false',
    'cluster.insecure-skip-tls-verify',
    config({ cluster: { 'insecure-skip-tls-verify': false } }),
  ],
  ['proxy-url', 'cluster.proxy-url', config({ cluster: { 'proxy-url': 'http://127.0.0.1:1' } })],
  ['disable-compression', 'cluster.disable-compression', config({ cluster: { 'disable-compression': true } })],
  ['extensions of the cluster', 'cluster.extensions', config({ cluster: { extensions: [] } })],
  ['an unknown field of the cluster', 'cluster.shell', config({ cluster: { shell: 'x' } })],
  ['http', 'cluster.server', config({ cluster: { server: 'http://k8s.example.com' } })],
  ['a file address', 'cluster.server', config({ cluster: { server: 'file:///etc/passwd' } })],
  ['unix', 'cluster.server', config({ cluster: { server: 'unix:///var/run/docker.sock' } })],
  ['a bare host', 'cluster.server', config({ cluster: { server: 'k8s.example.com' } })],
  ['no server', 'cluster.server', config({ cluster: { server: '' } })],
  ['a user in the address', 'cluster.server', config({ cluster: { server: 'https://a:b@k8s.example.com' } })],
  ['a query in the address', 'cluster.server', config({ cluster: { server: 'https://k8s.example.com/?x=1' } })],
  ['a fragment in the address', 'cluster.server', config({ cluster: { server: 'https://k8s.example.com/#x' } })],
  ['a server that is a list', 'cluster.server', config({ cluster: { server: ['https://k8s.example.com'] } })],
  ['a server name with a slash', 'cluster.tls-server-name', config({ cluster: { 'tls-server-name': 'a/b' } })],
  [
    'a CA that is a path',
    'cluster.certificate-authority-data',
    config({ cluster: { 'certificate-authority-data': '/etc/passwd!' } }),
  ],
  [
    'a CA that is no certificate',
    'cluster.certificate-authority-data',
    config({ cluster: { 'certificate-authority-data': base64('hello') } }),
  ],
  [
    'a CA that is broken',
    'cluster.certificate-authority-data',
    config({
      cluster: {
        'certificate-authority-data': base64('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'),
      },
    }),
  ],
  // Credentials
  ['no credentials', 'user', config({ user: { token: undefined } })],
  ['a certificate without its key', 'user', config({ user: { 'client-certificate-data': ca } })],
  ['a key without its certificate', 'user', config({ user: { 'client-key-data': clientKey } })],
  [
    'a key that is none',
    'user.client-key-data',
    config({ user: { 'client-certificate-data': ca, 'client-key-data': base64('x') } }),
  ],
  ['a token with a line break', 'user.token', config({ user: { token: 'a\nX-Evil: 1' } })],
  ['a token that is a number', 'user.token', config({ user: { token: 12345 } })],
  ['a token of 20 KB', 'user.token', config({ user: { token: 'x'.repeat(20_000) } })],
  // Structure
  ['an unknown field at the top', 'hooks', config({ root: { hooks: [] } })],
  ['extensions at the top', 'extensions', config({ root: { extensions: [] } })],
  ['preferences with content', 'preferences', config({ root: { preferences: { colors: true } } })],
  ['another kind', 'kind', config({ root: { kind: 'Secret' } })],
  ['a context that is not there', 'contexts', config({ root: { 'current-context': 'z' } })],
  ['two contexts of one name', 'contexts', config({ root: { contexts: [entry('x'), entry('x')] } })],
  [
    'two users of one name',
    'users',
    config({
      root: {
        users: [
          { name: 'u', user: { token: 'a' } },
          { name: 'u', user: { exec } },
        ],
      },
    }),
  ],
  [
    'two contexts and none chosen',
    'current-context',
    config({ root: { contexts: [entry('x'), entry('y')], 'current-context': '' } }),
  ],
  ['an unknown field of the context', 'context.exec', config({ context: { exec } })],
  ['a field beside the user', 'users.exec', config({ root: { users: [{ name: 'u', user: { token: 'a' }, exec }] } })],
  ['a namespace that climbs', 'context.namespace', config({ context: { namespace: '../../x' } })],
  ['clusters as a map', 'clusters', config({ root: { clusters: { c: {} } } })],
  ['a cluster that is null', 'clusters.cluster', config({ root: { clusters: [{ name: 'c', cluster: null }] } })],
  [
    'a thousand contexts',
    'contexts',
    config({ root: { contexts: Array.from({ length: 1000 }, (_, i) => entry(`x${i}`)) } }),
  ],
  // Two readers, two meanings
  ['clusters twice', 'clusters', `clusters: []\n${config()}`],
  ['a token twice', 'users.0.user.token', config().replace('token: abc.def', 'token: abc.def\n      token: other')],
  ['a server twice', 'clusters.0.cluster.server', config().replace(/( +)(server: .*)/, '$1$2\n$1$2')],
  [
    'a server twice, in JSON',
    'clusters.0.cluster.server',
    `{"clusters":[{"name":"c","cluster":{"server":"https://a.example","server":"https://b.example"}}],"users":[],"contexts":[]}`,
  ],
  [
    'a key that is written twice in other ways',
    'users.0.user.token',
    config().replace('token: abc.def', `token: abc.def\n      "\\x74oken": other`),
  ],
  [
    'an extra map twice, in an entry that nobody uses',
    'contexts.1.context.extra.a',
    config().replace(/(contexts:[\s\S]*?)(current-context)/, '$1  - name: y\n    context: {extra: {a: 1, a: 2}}\n$2'),
  ],
  // The document itself
  ['nothing', 'kubeconfig', '# nothing'],
  ['text', 'kubeconfig', 'hello'],
  ['a list', 'kubeconfig', '- a'],
  ['broken YAML', 'kubeconfig', 'a: [1'],
  ['a tag that runs code', 'kubeconfig', 'users: !!js/function "function(){}"\nclusters: [1'],
  ['50 000 levels', 'kubeconfig', `a: ${'['.repeat(50_000)}`],
  [
    'an alias bomb',
    'kubeconfig',
    `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[i]}`).join(',')}]`).join('\n')}\n`,
  ],
  ['300 KB', 'kubeconfig', `# ${'x'.repeat(300_000)}`],
]

describe('a kubeconfig is refused and the field named', () => {
  it.each(hostile)('%s', (_, field, text) => {
    let refusal: unknown
    try {
      readKubeconfig(text)
    } catch (error) {
      refusal = error
    }
    expect(refusal).toBeInstanceOf(Failure)
    const { code, status, field: named } = refusal as Failure
    expect({ code, status, named }).toEqual({
      code: 'cluster.kubeconfig-refused',
      status: 400,
      named: field === 'kubeconfig' ? field : `kubeconfig.${field}`,
    })
  })
})
