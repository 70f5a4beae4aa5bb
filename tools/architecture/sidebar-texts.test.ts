import { describe, expect, it } from 'vitest'
import { texts } from '../../web/src/features/sidebar/texts.ts'
import { isNamed, type Leaf, leavesOf, sourcesOf, writtenByHand } from './text-catalogue.ts'

const { product, proof } = sourcesOf('sidebar')
const leaves = leavesOf(texts, 'texts')
/** Where the specification is silent, and the words are ours to change. */
const isOurs = ({ path }: Leaf) => path.startsWith('texts.ours.')

/** The texts of the side bar and of its alerts, letter by letter as specified. */
const specified = [
  'ADD NEW MENU ENTRY',
  'EDIT GROUP NAME',
  'Pinning {item name} {kind} to the Custom Sidebar! Select a group or create a new one to which the item should be pinned to.',
  ...['Space', 'Dashboard', 'App', 'Cluster'],
  'CATEGORY',
  ...['Apps', 'Spaces', 'Dashboards', 'Clusters', 'External link'],
  ...['ITEM', 'ID: ', 'No Data!'],
  ...['LABEL *', 'URL *'],
  ...['GROUPNAME', 'My Side-bar', 'Personal dashboards', 'Add a new group', '{n}/24'],
  'Confirm',
  'Catalog Details',
  ...['Invalid URL', 'Please provide the complete URL!'],
  ...['Invalid Group name', 'Group name cannot be empty'],
  ...['Invalid data', 'Please check the data!'],
]

describe('the texts of the custom sidebar', () => {
  it('are those of the specification', () => {
    expect(leaves.filter((leaf) => !isOurs(leaf)).map(({ text }) => text)).toEqual(specified)
  })

  it('are all shown', () => {
    // The texts file itself puts the sentence of a pinned item together.
    const assembled = ['texts.pinning', 'texts.kinds.']
    // An alert is handed on as a whole.
    const nameOf = (path: string) => path.replace(/^(texts\.invalid\w+)\..*/, '$1')
    const unused = leaves.filter(
      ({ path }) =>
        !assembled.some((part) => path.startsWith(part)) && !product.some((source) => isNamed(source, nameOf(path))),
    )
    expect(unused).toEqual([])
  })

  it('are all asserted, as they are written in the specification, by a component test or a journey', () => {
    const written = ({ text }: Leaf) =>
      text.split(/\{[^}]*\}/).every((part) => proof.some((source) => source.includes(part)))
    expect(leaves.filter((leaf) => !isOurs(leaf) && !written(leaf))).toEqual([])
  })

  it('are written by hand nowhere in the product', () => {
    expect(writtenByHand(product, leaves)).toEqual([])
  })
})
