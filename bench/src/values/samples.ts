/** Values of 100 KiB, and where in them an edit is made. */
export interface Sample {
  name: string
  text: string
  path: (string | number)[]
}

const wanted = 100 * 1024

/** Values files with the shapes of real charts: many sections, one large section, and long lists. */
export function samples(): Sample[] {
  return [
    { name: 'many sections', text: filled(section), path: ['section40', 'image', 'tag'] },
    {
      name: 'one large section',
      text: `all:\n${filled((at) => indented(section(at)))}`,
      path: ['all', 'section40', 'image', 'tag'],
    },
    { name: 'a long list', text: `rules:\n${filled(rule)}`, path: ['rules', 100, 'message'] },
  ]
}

function filled(part: (at: number) => string): string {
  let text = ''
  for (let at = 0; text.length < wanted; at += 1) text += part(at)
  return text
}

function section(at: number): string {
  return `## What section ${at} is for, said at the length at which charts say it
##
section${at}:
  # -- Whether it runs at all
  enabled: true
  replicas: ${at}
  image:
    repository: registry.example/shop/part-${at}
    tag: "1.${at}" # kept in step with the chart
    pullPolicy: IfNotPresent
  resources:
    requests: { cpu: 100m, memory: 128Mi }
    limits: {}
  podLabels:
    part: "${at}"
  args:
    - --listen=:8080
    - --level=info

`
}

function rule(at: number): string {
  return `  # Rule ${at}
  - name: rule-${at}
    message: "something of kind ${at} has happened"
    severity: warning
    for: 5m
    labels:
      team: shop
`
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ')
}
