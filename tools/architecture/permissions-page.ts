import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { capabilities, topicRules } from '@quayside/contract/capabilities'
import type { Policy } from '@quayside/contract/http/policy'
import { type Guarded, guardedByRole, guardedByScope } from '@quayside/contract/permissions/guards'
import { type RoleRef, realmRoles, resourceRoles, sections } from '@quayside/contract/permissions/roles'
import {
  ownerScopes,
  rolesEverywhere,
  type Scope,
  scopes,
  scopesOfTenantRole,
  scopeTexts,
  spaceRoles,
} from '@quayside/contract/permissions/scopes'
import { absentScreens, screens } from '@quayside/contract/permissions/screens'

/** Writes docs/permissions.md from the tables of the contract; with `--check` it only says whether the page is stale. */
const file = resolve(import.meta.dirname, '../../docs/permissions.md')

const code = (text: string) => `\`${text}\``
const list = (items: readonly string[]) => (items.length === 0 ? '–' : items.join(', '))
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const roleText = ({ section, role }: RoleRef) => `${code(role)} (${section})`
const scopesText = (held: readonly Scope[]) => list(held.map(code))
const or = (items: readonly string[]) => items.join(' or ')

const places = {
  space: 'space',
  app: 'app',
  action: 'action',
  cluster: 'cluster',
  preset: 'preset',
  request: 'request',
}

function policyText(policy: Policy): string {
  const roles = 'orRole' in policy && policy.orRole ? policy.orRole.map(roleText) : []
  if (policy.kind === 'public') return 'everybody'
  if (policy.kind === 'signed-in') return 'whoever is signed in'
  if (policy.kind === 'role') return or(policy.anyOf.map(roleText))
  if (policy.kind === 'somewhere') return or([`${or(policy.anyOf.map(code))} in any space`, ...roles])
  if (policy.kind === 'filtered')
    return `whoever is signed in; shows what lies where they hold ${code(policy.scope)}${roles.length > 0 ? `, all of it with ${or(roles)}` : ''}`
  const here = `${or(policy.anyOf.map(code))} in the space of the ${places[policy.place]} (${code(policy.id)})`
  const without = policy.orElse && `without an id ${policy.orElse === 'somewhere' ? 'in any space' : 'in every space'}`
  const more = [...(policy.sometimesScopes ?? []).map(code), ...(policy.sometimesRoles ?? []).map(roleText)]
  const also = more.length > 0 && `${or(more)} depending on what it finds or is sent`
  return [or([here, ...roles]), without, also].filter(Boolean).join('; ')
}

function guardedText({ calls, screens: pages, absentScreens: entries, controls }: Guarded): string {
  const parts = [
    ...(pages.length > 0 ? [`pages: ${list(pages.map(({ name }) => name))}`] : []),
    ...(entries.length > 0 ? [`entries without a page: ${list(entries.map(({ name }) => name))}`] : []),
    ...(controls.length > 0 ? [`controls: ${list(controls.map(({ name }) => name))}`] : []),
    ...(calls.length > 0 ? [`calls: ${list(calls.map(({ address }) => code(address)))}`] : []),
  ]
  return parts.join('; ')
}

function holdersOf(ref: RoleRef): string {
  return list(Object.entries(realmRoles).flatMap(([name, { holds }]) => (holds(ref) ? [code(name)] : [])))
}

function roleRow(ref: RoleRef): string[] {
  const everywhere = scopesOfTenantRole(ref)
  const opens = [
    ...(everywhere.length > 0 ? [`in every space ${scopesText(everywhere)}`] : []),
    guardedText(guardedByRole(ref)),
  ]
  return [code(ref.role), opens.filter(Boolean).join('; '), holdersOf(ref)]
}

const servedRoles = sections.reduce((sum, section) => sum + resourceRoles[section].length, 0)

const page = `# Who may do what

Written by \`npm run permissions-page\` from the capabilities in \`contract/src/capabilities.ts\`, from which the server takes the
policy of every call; \`npm run check\` fails when this page is stale.

A person's rights come from two places, and either is enough: **roles of the tenant**, which the identity server keeps
and which reach every space, and **roles in a space**, which its permission list gives to users, groups, or everybody
with a role of the tenant. Both give **scopes**; a call asks for a scope in the space of what it is about. What somebody
may not see is answered as what does not exist (404), what they see and may not do is refused (403) with what it needs.

## Scopes

${table(
  ['Scope', 'For', 'Roles in a space', 'Roles of the tenant, in every space', 'Asked for by'],
  scopes.map((scope) => [
    code(scope),
    scopeTexts[scope],
    list([
      ...Object.entries(spaceRoles).flatMap(([id, role]) =>
        (role.scopes as readonly Scope[]).includes(scope) ? [code(id)] : [],
      ),
      ...(ownerScopes.includes(scope) ? ['owners'] : []),
    ]),
    list(rolesEverywhere.filter((ref) => scopesOfTenantRole(ref).includes(scope)).map(roleText)),
    guardedText(guardedByScope(scope)) ||
      'deploying, scaling and restarting where pods have rights on the whole cluster',
  ]),
)}

## Roles in a space

${table(
  ['Role', 'For', 'Scopes'],
  Object.entries(spaceRoles).map(([id, role]) => [code(id), role.description, scopesText(role.scopes)]),
)}

An owner holds ${scopesText(ownerScopes)} beside the role. A tenant defines further roles from scopes.

## Roles of the realm

${table(
  ['Role', 'For', 'In every space'],
  Object.entries(realmRoles).map(([name, { description, holds }]) => [
    code(name),
    description,
    scopesText(
      scopes.filter((scope) => rolesEverywhere.some((ref) => holds(ref) && scopesOfTenantRole(ref).includes(scope))),
    ),
  ]),
)}

## Roles of the tenant

The ${servedRoles - 2} roles of section 6 of the specification, \`spaces.manage\` and \`audit.view\`, by the client that holds
them (\`quayside-portal-ui-{section}\`). The role \`access\` of a section opens its pages and shows nothing by itself.

${sections
  .map((section) =>
    [
      `### ${section}`,
      '',
      table(
        ['Role', 'Guards', 'Held by'],
        ['access', ...resourceRoles[section]].map((role) => roleRow({ section, role } as RoleRef)),
      ),
    ].join('\n'),
  )
  .join('\n\n')}

## Calls

${capabilities
  .map(({ name, calls }) =>
    [
      `### ${name}`,
      '',
      table(
        ['Call', 'Who may'],
        calls.map(({ address, policy }) => [code(address), policyText(policy)]),
      ),
    ].join('\n'),
  )
  .join('\n\n')}

## Live connection

${table(
  ['Topic', 'Who is told'],
  Object.entries(topicRules).map(([topic, { policy }]) => [code(topic), policyText(policy)]),
)}

Following the events of a release (\`register\`) asks for \`app.view\` in the space of each action, again for each event.

## Pages

${table(
  ['Page', 'Asks for'],
  [...screens, ...absentScreens].map(({ route, expectedRoles = [], requiredScopes, scopesSourceType }) => [
    code(route),
    [
      or(expectedRoles.map(roleText)) || 'a sign-in',
      ...(requiredScopes ? [`${or(requiredScopes.map(code))} (${scopesSourceType})`] : []),
    ].join(', then '),
  ]),
)}
`

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== page) {
    console.error('docs/permissions.md is stale: run npm run permissions-page')
    process.exitCode = 1
  }
} else writeFileSync(file, page)
