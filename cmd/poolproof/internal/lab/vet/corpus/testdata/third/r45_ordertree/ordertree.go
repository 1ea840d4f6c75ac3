// Package ordertree keeps the open orders of a market by price, in a list of nodes that are reused.
package ordertree

import "sync"

type node struct {
	price, amount int64
	next          *node
}

// Book is one side of a market, the best price first.
type Book struct {
	mu   sync.Mutex
	head *node
	free *node
}

func (b *Book) getNode(price, amount int64) *node {
	n := b.free
	if n == nil {
		return &node{price: price, amount: amount}
	}
	b.free = n.next
	n.price, n.amount, n.next = price, amount, nil
	return n
}

func (b *Book) putNode(n *node) {
	n.next = b.free
	b.free = n
}

// Add adds an order.
func (b *Book) Add(price, amount int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := &b.head
	for *at != nil && (*at).price > price {
		at = &(*at).next
	}
	if *at != nil && (*at).price == price {
		(*at).amount += amount
		return
	}
	n := b.getNode(price, amount)
	n.next = *at
	*at = n
}

// Take takes up to amount from the best orders, at no less than limit. It returns what it took and
// what that is worth.
func (b *Book) Take(amount, limit int64) (taken, worth int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.head != nil && taken < amount && b.head.price >= limit {
		n := b.head
		part := min(n.amount, amount-taken)
		taken += part
		worth += part * n.price
		n.amount -= part
		if n.amount == 0 {
			b.head = n.next
			b.putNode(n)
		}
	}
	return taken, worth
}
