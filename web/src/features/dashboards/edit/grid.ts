import { gridColumns } from '@quayside/contract/dashboards/rules'
import type { DashboardSpec, Panel } from '@quayside/contract/dashboards/spec'

type Grid = DashboardSpec['layouts'][number]
export type Item = Grid['spec']['items'][number]

const prefix = '#/spec/panels/'
export const keyOf = (item: Item): string => item.content.$ref.slice(prefix.length)

const overlaps = (a: Item, b: Item): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** The items with one of them placed; others make way downwards, and all close up to the top. */
export function placed(items: readonly Item[], moved: Item): Item[] {
  const width = Math.min(Math.max(moved.width, 2), gridColumns)
  const first = {
    ...moved,
    width,
    height: Math.min(Math.max(moved.height, 2), 60),
    x: Math.min(Math.max(moved.x, 0), gridColumns - width),
    y: Math.max(moved.y, 0),
  }
  const others = items.filter((item) => keyOf(item) !== keyOf(moved)).sort((a, b) => a.y - b.y || a.x - b.x)
  const done: Item[] = [first]
  for (const item of others) {
    let next = item
    for (
      let hit = done.find((one) => overlaps(one, next));
      hit !== undefined;
      hit = done.find((one) => overlaps(one, next))
    )
      next = { ...next, y: hit.y + hit.height }
    done.push(next)
  }
  return closedUp(done)
}

/** Every item as high as it can be. */
function closedUp(items: readonly Item[]): Item[] {
  const done: Item[] = []
  for (const item of [...items].sort((a, b) => a.y - b.y || a.x - b.x)) {
    let { y } = item
    while (y > 0 && !done.some((one) => overlaps(one, { ...item, y: y - 1 }))) y -= 1
    done.push({ ...item, y })
  }
  return done
}

/** The document with the items of one grid changed. */
export function withItems(
  spec: DashboardSpec,
  key: string,
  change: (items: readonly Item[], item: Item) => Item[],
): DashboardSpec {
  const layouts = spec.layouts.map((grid) => {
    const item = grid.spec.items.find((one) => keyOf(one) === key)
    return item === undefined ? grid : { ...grid, spec: { ...grid.spec, items: change(grid.spec.items, item) } }
  })
  return { ...spec, layouts }
}

/** The item where it first fits among the others, row by row. */
function fitted(items: readonly Item[], item: Item): Item {
  const bottom = Math.max(0, ...items.map(({ y, height }) => y + height))
  for (let y = 0; y < bottom; y += 1)
    for (let x = 0; x + item.width <= gridColumns; x += 1)
      if (!items.some((one) => overlaps(one, { ...item, x, y }))) return { ...item, x, y }
  return { ...item, x: 0, y: bottom }
}

/** The document with one more panel, in the first place of its last grid that has room; and the panel's key. */
export function withPanel(
  spec: DashboardSpec,
  panel: Panel,
  size: { w: number; h: number },
): { spec: DashboardSpec; key: string } {
  let at = Object.keys(spec.panels).length + 1
  while (Object.hasOwn(spec.panels, `panel-${at}`)) at += 1
  const key = `panel-${at}`
  const grids: Grid[] = spec.layouts.length > 0 ? [...spec.layouts] : [{ kind: 'Grid', spec: { items: [] } }]
  const last = grids.pop() as Grid
  const item = fitted(last.spec.items, {
    x: 0,
    y: 0,
    width: size.w,
    height: size.h,
    content: { $ref: `${prefix}${key}` },
  })
  const grid: Grid = { ...last, spec: { ...last.spec, items: [...last.spec.items, item] } }
  return { key, spec: { ...spec, panels: { ...spec.panels, [key]: panel }, layouts: [...grids, grid] } }
}

export function withoutPanel(spec: DashboardSpec, key: string): DashboardSpec {
  const { [key]: _, ...panels } = spec.panels
  const left = withItems(spec, key, (items, item) => closedUp(items.filter((one) => one !== item)))
  return { ...left, panels }
}

export const titlesOf = ({ layouts }: DashboardSpec): string[] =>
  layouts.map(({ spec: { display } }) => display?.title ?? '')

/** The document with these titles of its sections; an empty one leaves a section without. */
export function withTitles(spec: DashboardSpec, titles: readonly string[]): DashboardSpec {
  const layouts = spec.layouts.map((grid, at): Grid => {
    const { display: _, ...rest } = grid.spec
    const title = titles[at]?.trim() ?? ''
    return { ...grid, spec: title === '' ? rest : { display: { title }, ...rest } }
  })
  return { ...spec, layouts }
}
