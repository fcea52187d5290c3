// Filters the menu while one types; "/" goes to the field.
const filter = document.getElementById('filter');

filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const entry of document.querySelectorAll('nav li[data-find]')) {
    entry.hidden = !words.every((word) => entry.dataset.find.includes(word));
  }
  for (const group of document.querySelectorAll('nav .group')) {
    group.hidden = group.querySelector('li:not([hidden])') === null;
  }
});

document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target === filter) return;
  event.preventDefault();
  filter.focus();
});
