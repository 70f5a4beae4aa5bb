import { expect, it, vi } from 'vitest'
import { nameWhatIsCut } from './name-what-is-cut.ts'

function cell(scrollWidth: number) {
  document.body.innerHTML = '<table><tr><td style="text-overflow: ellipsis"><a>A long name</a></td></tr></table>'
  const [td, link] = [document.querySelector('td'), document.querySelector('a')]
  if (!td || !link) throw new Error('there is no cell')
  vi.spyOn(td, 'scrollWidth', 'get').mockReturnValue(scrollWidth)
  vi.spyOn(td, 'clientWidth', 'get').mockReturnValue(100)
  nameWhatIsCut({ target: link })
  return td.title
}

it('names the whole of what is cut, and nothing that is there in full', () => {
  expect(cell(300)).toBe('A long name')
  expect(cell(100)).toBe('')
})
