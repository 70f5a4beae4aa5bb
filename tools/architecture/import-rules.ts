/** One import in one file, both as paths from the repository's root; a package or Node module keeps its own name. */
export interface Import {
  from: string
  to: string
  typeOnly: boolean
}

interface Rule {
  name: string
  /** Why the rule is there: what somebody who breaks it needs to read. */
  why: string
  from: RegExp
  to: RegExp
  /** Imports of types alone are allowed. */
  exceptTypes?: boolean
  /** An import is allowed when the first group matches the same text in both paths, such as a feature. */
  unlessSame?: RegExp
}

const tests = /\.(http\.)?test\.tsx?$|\/testing\/|\.test-support\.ts$/

export const rules: readonly Rule[] = [
  {
    name: 'values-is-a-library',
    why: 'values/ is a library that others could use: it imports nothing of ours, and nothing of Node.',
    from: /^values\//,
    to: /^(contract|server|web|embedded|e2e|bench|system-tests)\/|^node:/,
  },
  {
    name: 'contract-is-a-promise',
    why: 'contract/ is what both sides promise each other: of ours it knows the types of values/ alone.',
    from: /^contract\//,
    to: /^(server|web|embedded|e2e|bench)\//,
  },
  {
    name: 'contract-takes-types-of-values',
    why: 'contract/ describes values and does nothing with them: import the type.',
    from: /^contract\//,
    to: /^values\//,
    exceptTypes: true,
  },
  {
    name: 'contract-runs-anywhere',
    why: "contract/ runs in the browser and on the server alike: Node's own modules belong to server/ or embedded/.",
    from: /^contract\//,
    to: /^node:/,
  },
  {
    name: 'web-knows-only-the-contract',
    why: 'The browser talks to the server by HTTP and sockets; what both need is said in contract/.',
    from: /^web\/src\//,
    to: /^(server|embedded|e2e|bench)\/|^node:/,
  },
  {
    name: 'features-stand-alone',
    why: 'A feature is deleted by deleting its folder. Pages in web/src/app compose features.',
    from: /^web\/src\/features\/([^/]+)\//,
    to: /^web\/src\/features\/([^/]+)\//,
    unlessSame: /^web\/src\/features\/([^/]+)\//,
  },
  {
    name: 'features-do-not-reach-up',
    why: 'Imports run one way: app, then features, then api, then ui and lib.',
    from: /^web\/src\/(features|api)\//,
    to: /^web\/src\/app\//,
  },
  {
    name: 'api-knows-no-feature',
    why: 'web/src/api is what several features need: calls, query keys, topics and commands. What one feature needs is its own.',
    from: /^web\/src\/api\//,
    to: /^web\/src\/features\//,
  },
  {
    name: 'calls-stand-in-api',
    why: 'A call stands once, with its query key and its topic, in web/src/api/<capability>.ts: import the query or the mutation from there.',
    from: /^web\/src\/(features|app|ui|lib)\//,
    to: /^web\/src\/api\/client\.ts$/,
  },
  {
    name: 'ui-and-lib-know-no-domain',
    why: 'ui/ and lib/ are the ground that features stand on: what several features need belongs to web/src/api.',
    from: /^web\/src\/(ui|lib)\//,
    to: /^web\/src\/(features|app|api)\//,
  },
  {
    name: 'ui-draws',
    why: 'ui/ draws what it is given: describe in its props what it shows, or make it part of a feature.',
    from: /^web\/src\/ui\//,
    to: /^contract\//,
  },
  {
    name: 'lib-knows-the-protocol-alone',
    why: 'lib/ knows how calls, errors and the socket work, and no capability: rights, queries and types belong to web/src/api.',
    from: /^web\/src\/lib\//,
    to: /^contract\/src\/(?!(?:http|live)\/)/,
  },
  {
    name: 'server-never-imports-embedded',
    why: 'The product meets the embedded defaults over the wire, exactly as it meets the real thing.',
    from: /^server\/src\//,
    to: /^(embedded|web|e2e|bench)\//,
  },
  {
    name: 'embedded-knows-at-most-the-contract',
    why: 'embedded/ stands in for foreign systems: it starts the server as a process and never imports it.',
    from: /^embedded\//,
    to: /^(server|web|e2e|bench)\//,
  },
  {
    name: 'embedded-packages-stand-alone',
    why: 'The embedded cluster, identity server, PostgreSQL and metrics are packages for anybody: put what knows Quayside into embedded/src.',
    from: /^embedded\/(identity|kubernetes|postgres|telemetry)\//,
    to: /^(contract|values|server|web|e2e|bench|system-tests)\/|^embedded\/src\//,
  },
  {
    name: 'platform-knows-no-service',
    why: 'platform/ is needed by every service and knows none; app.ts puts them together.',
    from: /^server\/src\/platform\//,
    to: /^server\/src\/(services|adapters|portal|app|main)/,
  },
  {
    name: 'adapters-know-only-the-platform',
    why: "An adapter is the door to one foreign system; what the product does with it is a service's business.",
    from: /^server\/src\/adapters\//,
    to: /^server\/src\/(services|portal|app|main)/,
  },
  {
    name: 'services-meet-as-arguments',
    why: 'A service gets another one as an argument from app.ts and imports only its type.',
    from: /^server\/src\/services\/([^/]+)\//,
    to: /^server\/src\/services\/([^/]+)\//,
    exceptTypes: true,
    unlessSame: /^server\/src\/services\/([^/]+)\//,
  },
  {
    name: 'services-do-not-reach-up',
    why: 'app.ts knows the services, never the other way.',
    from: /^server\/src\/services\//,
    to: /^server\/src\/(app|main|portal)/,
  },
  {
    name: 'drivers-use-public-doors',
    why: "e2e/, bench/ and system-tests/ drive the product as people and scripts do: through a World's addresses.",
    from: /^(e2e|bench|system-tests)\//,
    to: /^(server|web)\/src\//,
  },
  {
    name: 'nothing-needs-deploy',
    why: 'deploy/ packs what the others are; none of them knows how it is packed.',
    from: /^(values|contract|server|web|embedded|e2e|bench|system-tests)\//,
    to: /^deploy\//,
  },
  {
    name: 'system-tests-read-no-tables',
    why: 'What the product keeps is read through its public doors; system-tests/outages/postgres disturbs PostgreSQL itself, and what only tables show is a test of the service.',
    from: /^system-tests\/(?!outages\/postgres\/)/,
    to: /^(pg|kysely)$/,
  },
  {
    name: 'no-drawers',
    why: 'utils, helpers, common, shared, types and constants become drawers: name the folder after what is in it.',
    from: /./,
    to: /\/src\/(?:.*\/)?(?:utils|helpers|common|shared|types|constants)\//,
  },
]

/** Tests of a service may start a World; nothing else crosses for them. */
function isAllowedTest({ from, to }: Import): boolean {
  return tests.test(from) && /^server\/src\//.test(from) && /^embedded\//.test(to)
}

/** The rules that an import breaks. */
export function violationsOf(one: Import): Rule[] {
  if (isAllowedTest(one)) return []
  return rules.filter((rule) => {
    if (!rule.from.test(one.from) || !rule.to.test(one.to)) return false
    if (rule.exceptTypes === true && one.typeOnly) return false
    return rule.unlessSame === undefined || rule.unlessSame.exec(one.from)?.[1] !== rule.unlessSame.exec(one.to)?.[1]
  })
}

/** Rings of files that import each other for more than types, each told once. */
export function cycles(imports: readonly Import[]): string[][] {
  const next = new Map<string, string[]>()
  for (const { from, to, typeOnly } of imports) if (!typeOnly) next.set(from, [...(next.get(from) ?? []), to])
  const found: string[][] = []
  const done = new Set<string>()
  const path: string[] = []
  const visit = (file: string) => {
    const at = path.indexOf(file)
    if (at >= 0) {
      found.push([...path.slice(at), file])
      return
    }
    if (done.has(file)) return
    path.push(file)
    for (const target of next.get(file) ?? []) visit(target)
    path.pop()
    done.add(file)
  }
  for (const file of next.keys()) visit(file)
  return found
}
