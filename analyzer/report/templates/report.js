(function () {
  'use strict';
  var box = document.getElementById('q'), shown = document.getElementById('shown'), timer;
  var all = Array.from(document.querySelectorAll('[data-find]'));
  function filter() {
    var words = box.value.toLowerCase().split(/\s+/).filter(Boolean), left = 0;
    all.forEach(function (one) {
      one.find = one.find || (one.dataset.find || one.textContent).toLowerCase();
      var found = words.every(function (word) { return one.find.indexOf(word) >= 0; });
      if (one.hidden === found) { one.hidden = !found; }
      left += found ? 1 : 0;
    });
    all.forEach(function (one) {
      var card = !one.hidden && one.parentElement.closest('.card');
      if (card) { card.hidden = false; }
    });
    document.querySelectorAll('.incident').forEach(function (one) {
      one.hidden = !one.querySelector('.card:not([hidden])');
    });
    document.querySelectorAll('.rows').forEach(function (one, number) {
      one.hidden = !one.querySelector('.row:not([hidden])');
      if (!words.length || left <= 1000) { one.open = words.length ? !one.hidden : number === 0; }
    });
    shown.textContent = words.length ? left + ' of ' + all.length + ' findings' : '';
  }
  function open() {
    var hash = decodeURIComponent(location.hash.slice(1)), target = document.getElementById(hash), one;
    if (box && hash.indexOf('?q=') === 0) { box.value = hash.slice(3); filter(); }
    if (box && target && target.closest('[hidden]')) { box.value = ''; filter(); }
    for (one = target; one; one = one.parentElement) {
      if (one.tagName === 'DETAILS') { one.open = true; }
    }
    if (target && target.matches('.card')) { target.querySelector('details').open = true; }
    if (target) { target.scrollIntoView(); }
  }
  if (box) {
    box.form.hidden = false;
    box.addEventListener('input', function () { clearTimeout(timer); timer = setTimeout(filter, 100); });
    box.form.addEventListener('submit', function (event) {
      event.preventDefault();
      location.hash = box.value ? '?q=' + encodeURIComponent(box.value) : '';
    });
  }
  document.querySelectorAll('.copy').forEach(function (button) {
    var code = button.parentElement.querySelector('code');
    button.hidden = false;
    button.addEventListener('click', function () {
      getSelection().selectAllChildren(code);
      if (navigator.clipboard) {
        navigator.clipboard.writeText(code.textContent).then(function () { button.textContent = 'copied'; });
      }
    });
  });
  var place = 'txn-forensics ' + document.title, done = {};
  function remember(write) {
    try {
      if (write) { localStorage.setItem(place, JSON.stringify(done)); }
      else { done = JSON.parse(localStorage.getItem(place)) || {}; }
    } catch (refused) { /* a browser that keeps nothing: ticks last as long as the page */ }
  }
  remember(false);
  document.querySelectorAll('.tick').forEach(function (box) {
    function show() { box.closest('.step').classList.toggle('done', box.checked); }
    box.hidden = false;
    box.checked = done[box.dataset.step] === true;
    show();
    box.addEventListener('change', function () {
      if (box.checked) { done[box.dataset.step] = true; } else { delete done[box.dataset.step]; }
      show();
      remember(true);
    });
  });
  document.querySelectorAll('.contents a').forEach(function (link) {
    link.addEventListener('click', function () { link.closest('details').open = false; });
  });
  addEventListener('hashchange', open);
  addEventListener('beforeprint', function () {
    document.querySelectorAll('.card details, .lanes-of, .rows').forEach(function (one) { one.open = true; });
  });
  open();
})();
