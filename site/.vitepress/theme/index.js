// The fonts of the system: nothing to fetch, and nothing to wait for.
import theme from 'vitepress/theme-without-fonts'
import './style.css'

export default theme
