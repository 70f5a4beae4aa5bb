import { describe, expect, it } from 'vitest'
import { progressWords, texts } from '../web/src/features/deployment/texts.ts'
import { isNamed, isWritten, type Leaf, leavesOf, sourcesOf, writtenByHand } from './text-catalogue.ts'

const { product, proof } = sourcesOf('deployment')

/** Where the specification is silent, and the words are ours to change. */
const ours = ['texts.form', 'texts.presets', 'texts.merge', 'texts.diff', 'texts.selectVersion']
const isOurs = ({ path }: Leaf) =>
  ours.some((part) => path.startsWith(`${part}.`)) && path !== 'texts.selectVersion.step'

const leaves = leavesOf(texts, 'texts')
const words = leavesOf(progressWords, 'progressWords')

describe('the catalogue of texts', () => {
  it('holds no text that the product does not show', () => {
    const unused = leaves.filter(({ path }) => !product.some((source) => isNamed(source, path)))
    expect(unused).toEqual([])
  })

  it('holds no text that neither a component test nor a journey asserts', () => {
    const isAsserted = ({ path, text }: Leaf) =>
      proof.some((source) => isWritten(source, text) || isNamed(source, path))
    expect([...leaves, ...words].filter((leaf) => !isOurs(leaf) && !isAsserted(leaf))).toEqual([])
  })

  it('no part of the product writes a text of the catalogue by hand', () => {
    expect(writtenByHand(product, leaves)).toEqual([])
  })
})
