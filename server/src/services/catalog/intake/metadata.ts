import { AppType, CatalogItemType } from '@quayside/contract/catalog/endpoints'
import type { ChartYaml } from './chart-yaml.ts'
import { refuse } from './refuse.ts'

/** How a chart presents itself in the catalog. */
export interface Metadata {
  type: CatalogItemType
  appType: AppType
  appKind: string
  displayName: string
  description: string
  shortDescription: string
  category: string
  manufacturer: { id: string; name: string }
  color: string
  tags: string[]
  resourceRoles: string[]
  featured: boolean
}

/** Reads it from the chart's own annotations, with what charts commonly say as the next best. */
export function metadataOf(chart: ChartYaml): Metadata {
  const said = (name: string) => chart.annotations[`quayside.io/${name}`]
  const description = limited(chart.description ?? '', 4000)
  const manufacturer = limited(
    said('manufacturer') ?? chart.maintainers[0]?.name ?? hostOf(chart.home) ?? 'Unknown',
    80,
  )
  const color = said('color')
  const type = oneOf(CatalogItemType.options, said('item-type') ?? 'App', 'quayside.io/item-type')
  return {
    type,
    appType: oneOf(AppType.options, said('app-type') ?? 'Containerized', 'quayside.io/app-type'),
    appKind: type === 'Flow' ? 'flow' : 'helm',
    displayName: limited(said('display-name') ?? titled(chart.name), 80),
    description,
    shortDescription: limited(said('short-description') ?? firstSentence(description), 200),
    category: categoryOf(chart),
    manufacturer: { id: idOf(manufacturer), name: manufacturer },
    color: color && /^#[0-9a-fA-F]{6}$/.test(color) ? color.toLowerCase() : colorOf(chart.name),
    tags: listOf(said('tags')) ?? [...new Set(chart.keywords.map((word) => limited(word, 40)))].slice(0, 30),
    resourceRoles: listOf(said('resource-roles')) ?? [],
    featured: said('featured') === 'true',
  }
}

function oneOf<T extends string>(options: readonly T[], value: string, annotation: string): T {
  const found = options.find((option) => option.toLowerCase() === value.toLowerCase())
  if (!found)
    throw refuse(`The annotation ${annotation} is ${value}, but must be one of ${options.join(', ')}.`, 'Chart.yaml')
  return found
}

function categoryOf(chart: ChartYaml): string {
  const { annotations } = chart
  const said = annotations['quayside.io/category'] ?? annotations.category ?? annotations['artifacthub.io/category']
  if (said) return limited(titled(said), 60)
  for (const word of chart.keywords) {
    const known = categories[word.toLowerCase()]
    if (known) return known
  }
  return 'Other'
}

const categories: Readonly<Record<string, string>> = {
  ...named('Database', 'database db sql nosql postgresql postgres mysql mariadb mongodb cache redis valkey'),
  ...named(
    'Observability',
    'monitoring metrics alerting prometheus grafana logging logs tracing observability dashboard',
  ),
  ...named('Networking', 'ingress proxy loadbalancer gateway dns networking service-mesh nginx'),
  ...named('Security', 'security tls certificates cert-manager secrets identity iam sso oidc authentication'),
  ...named('Messaging', 'messaging queue broker kafka rabbitmq mqtt nats streaming'),
  ...named('Storage', 'storage s3 objectstore object-storage backup nfs'),
  ...named('Developer Tools', 'ci cd gitops git devops registry argoproj argocd'),
}

function named(category: string, words: string): Record<string, string> {
  return Object.fromEntries(words.split(' ').map((word) => [word, category]))
}

function hostOf(home: string | undefined): string | undefined {
  return home && URL.canParse(home) ? new URL(home).hostname.replace(/^www\./, '') || undefined : undefined
}

function listOf(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined
  const parts = text.split(/[,\n]/).map((part) => limited(part, 40))
  return [...new Set(parts.filter((part) => part !== ''))].slice(0, 30)
}

/** `key-value_store` becomes `Key Value Store`. */
function titled(name: string): string {
  return name
    .replace(/[-_]+/g, ' ')
    .replace(/(^|\s)([a-z])/g, (_, space: string, letter: string) => space + letter.toUpperCase())
}

function firstSentence(text: string): string {
  return /^[\s\S]{1,198}?[.!?](?=\s|$)/.exec(text)?.[0] ?? text
}

function limited(text: string, length: number): string {
  const clean = text.replace(/\p{Cc}/gu, ' ').trim()
  return clean.length > length ? `${clean.slice(0, length - 1).trimEnd()}…` : clean
}

function idOf(name: string): string {
  const id = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return id.slice(0, 60) || 'unknown'
}

/** Always the same colour for a name, dark enough for white letters. */
function colorOf(name: string): string {
  let hash = 0
  for (const char of name) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) >>> 0
  const hue = hash % 360
  const channel = (shift: number) => {
    const k = (shift + hue / 30) % 12
    return Math.round(255 * (0.42 - 0.42 * 0.55 * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return `#${[0, 8, 4].map((shift) => channel(shift).toString(16).padStart(2, '0')).join('')}`
}
